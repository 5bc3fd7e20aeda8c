package io.gleaner.bag;

import io.gleaner.description.BagDescription;
import io.gleaner.description.TaskExpansion;
import io.gleaner.signing.SignedManifest;
import io.gleaner.tuple.JobState;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bag that has not ended, in memory: its tasks, its terms and its counters as of the last commit.
 *
 * <p>Two locks, always taken in this order: {@link #lifecycle} over the whole of a submission or a
 * cancel, so that nobody ends what is still being built; {@link #counting} over the short SQL
 * transactions that change the row, so that {@link #row} never goes back. Reading needs no lock.
 */
final class LiveBag {
  final BagDescription description;
  final TaskExpansion tasks;
  final Price price;
  final SignedManifest program;

  final ReentrantLock lifecycle = new ReentrantLock();
  final ReentrantLock counting = new ReentrantLock();

  private volatile BagRow row;
  private volatile Optional<String> cancelAsked = Optional.empty();

  LiveBag(
      BagRow row,
      BagDescription description,
      TaskExpansion tasks,
      Price price,
      SignedManifest program) {
    this.row = row;
    this.description = description;
    this.tasks = tasks;
    this.price = price;
    this.program = program;
  }

  BagRow row() {
    return row;
  }

  void row(BagRow changed) {
    this.row = changed;
  }

  String jobId() {
    return row.jobId();
  }

  /** When its owner wants it done, in milliseconds since 1970; null if that was not said. */
  Long deadlineMillis() {
    return description.deadline().map(d -> d.from(row.submitted()).toEpochMilli()).orElse(null);
  }

  boolean isOpen() {
    return row.state() == JobState.OPEN;
  }

  /** Asks the submission to stop at its next step. */
  void askToCancel(String reason) {
    cancelAsked = Optional.of(reason);
  }

  Optional<String> cancelAsked() {
    return cancelAsked;
  }
}
