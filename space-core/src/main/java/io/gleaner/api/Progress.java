package io.gleaner.api;

import io.gleaner.tuple.JobState;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * How far a bag is and what it cost so far.
 *
 * @param completed tasks with an accepted result
 * @param failed tasks that failed for good
 * @param budgetMicros micro-credits that were set aside
 * @param spentMicros micro-credits that were paid; what is left of the budget returns at the end
 * @param left a guess from the pace so far; empty before the first result and after the end
 * @param note why it waits or how it ended, for people
 */
public record Progress(
    String bagId,
    JobState state,
    int tasks,
    int completed,
    int failed,
    long budgetMicros,
    long spentMicros,
    Optional<Duration> left,
    String note) {

  /** Whether nothing of the bag will run any more. */
  public boolean ended() {
    return state.ended();
  }

  /** Tasks that ended, with or without a result. */
  public int tasksEnded() {
    return completed + failed;
  }

  /** From a bag of the REST interface. */
  static Progress of(JsonNode bag) {
    JsonNode seconds = bag.path("secondsLeft");
    return new Progress(
        bag.path("id").asString(),
        JobState.valueOf(bag.path("state").asString()),
        bag.path("tasks").asInt(),
        bag.path("completed").asInt(),
        bag.path("failed").asInt(),
        bag.path("budgetMicros").asLong(),
        bag.path("spentMicros").asLong(),
        seconds.isIntegralNumber()
            ? Optional.of(Duration.ofSeconds(seconds.asLong()))
            : Optional.empty(),
        bag.path("note").asString(""));
  }
}
