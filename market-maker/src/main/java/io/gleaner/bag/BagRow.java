package io.gleaner.bag;

import io.gleaner.tuple.JobState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A bag as it is on disk; what the fields mean: {@link Bags.Summary} and V11__bags.sql. */
record BagRow(
    String jobId,
    String owner,
    String idempotencyKey,
    String contentDigest,
    String name,
    String description,
    Map<String, String> files,
    JobState state,
    int tasks,
    int completed,
    int failed,
    long budgetMicros,
    long spentMicros,
    Instant submitted,
    Optional<Instant> ended,
    String note) {

  Bags.Summary summary() {
    return new Bags.Summary(
        jobId,
        owner,
        name,
        state.name(),
        tasks,
        completed,
        failed,
        budgetMicros,
        spentMicros,
        submitted,
        ended,
        note);
  }

  /** The row after an event of its life. */
  BagRow after(JobState.Event event, Instant at, String why) {
    JobState next = JobState.TRANSITIONS.require(state, event);
    return with(next, completed, failed, spentMicros, next.ended() ? Optional.of(at) : ended, why);
  }

  /** The row after one more task ended. */
  BagRow counting(Bags.TaskOutcome outcome, boolean success) {
    return with(
        state,
        completed + (success ? 1 : 0),
        failed + (success ? 0 : 1),
        Math.addExact(spentMicros, outcome.paidMicros()),
        ended,
        note);
  }

  boolean allTasksEnded() {
    return completed + failed >= tasks;
  }

  private BagRow with(
      JobState newState,
      int newCompleted,
      int newFailed,
      long newSpent,
      Optional<Instant> newEnded,
      String newNote) {
    return new BagRow(
        jobId,
        owner,
        idempotencyKey,
        contentDigest,
        name,
        description,
        files,
        newState,
        tasks,
        newCompleted,
        newFailed,
        budgetMicros,
        newSpent,
        submitted,
        newEnded,
        newNote);
  }
}
