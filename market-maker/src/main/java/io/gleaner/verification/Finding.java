package io.gleaner.verification;

import io.gleaner.tuple.ResultEntry;

/** What a first look at a result found. */
sealed interface Finding {

  /** A result in good form. */
  record Claimed(Claim claim) implements Finding {}

  /** The task itself failed. */
  record Faulted() implements Finding {}

  /** The launcher's fault: not paid, and the task runs again. */
  record Refused(String reason) implements Finding {}

  /** Nobody waits for it any more: not paid, and nothing runs again. */
  record Dropped(String reason) implements Finding {}

  /** The task of a result. */
  static TaskKey task(ResultEntry result) {
    return new TaskKey(result.jobId, result.taskIndex);
  }
}
