package io.gleaner.live;

import io.gleaner.bag.Bags;
import io.gleaner.tuple.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A bag as streams, REST and pages show it.
 *
 * @param ended whether nothing of it will run any more
 * @param endedAt when, if it has
 * @param secondsLeft a guess from the pace so far; empty before the first result and after the end
 */
public record BagView(
    String id,
    String owner,
    String name,
    String state,
    int tasks,
    int completed,
    int failed,
    long budgetMicros,
    long spentMicros,
    Instant submittedAt,
    boolean ended,
    Optional<Instant> endedAt,
    Optional<Long> secondsLeft,
    String note) {

  public static BagView of(Bags.Summary bag, Instant now) {
    boolean ended = JobState.valueOf(bag.state()).ended();
    return new BagView(
        bag.jobId(),
        bag.owner(),
        bag.name(),
        bag.state(),
        bag.tasks(),
        bag.completed(),
        bag.failed(),
        bag.budgetMicros(),
        bag.spentMicros(),
        bag.submitted(),
        ended,
        bag.ended(),
        ended ? Optional.empty() : secondsLeft(bag, now),
        bag.note());
  }

  /** Tasks that neither have a result nor are parked. */
  public int remaining() {
    return tasks - completed - failed;
  }

  private static Optional<Long> secondsLeft(Bags.Summary bag, Instant now) {
    int done = bag.completed() + bag.failed();
    if (done == 0) {
      return Optional.empty();
    }
    double elapsed = Duration.between(bag.submitted(), now).toMillis() / 1000.0;
    return Optional.of(Math.max(0, Math.round(elapsed / done * (bag.tasks() - done))));
  }
}
