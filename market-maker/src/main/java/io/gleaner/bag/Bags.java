package io.gleaner.bag;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The bags of tasks of this node, as pages and commands use them. Safe for all threads; counters
 * are kept, not scanned.
 *
 * <p>Everything that is refused throws {@link BagException} with a stable code.
 */
public interface Bags {

  /**
   * What a submitter hands in.
   *
   * @param description the bag as YAML, see docs/bag-format.md
   * @param files what the description names as files, by the name used there, as blob digests
   * @param idempotencyKey the same key of the same owner gives the same bag again
   */
  record Submission(String description, Map<String, String> files, String idempotencyKey) {
    public Submission {
      files = Map.copyOf(files);
    }
  }

  /**
   * One bag at one moment.
   *
   * @param state name of its {@code JobState}
   * @param tasks how many tasks it has
   * @param completed tasks with an accepted result
   * @param failed tasks parked as failed
   * @param budgetMicros what was put into escrow
   * @param spentMicros what was paid so far
   * @param note why it waits or ended, for people
   */
  record Summary(
      String jobId,
      String owner,
      String name,
      String state,
      int tasks,
      int completed,
      int failed,
      long budgetMicros,
      long spentMicros,
      Instant submitted,
      Optional<Instant> ended,
      String note) {}

  /**
   * One task that ended.
   *
   * @param outputDigest blob of the accepted result, empty if it failed
   * @param reason why it failed, empty if it did not
   */
  record TaskOutcome(
      int taskIndex,
      Map<String, String> parameters,
      String outcome,
      String launcherId,
      Optional<String> outputDigest,
      long outputBytes,
      long meteredMicroUnits,
      long paidMicros,
      long elapsedMillis,
      String reason,
      String logTail,
      Instant ended) {}

  /**
   * A task that ended, with its place in the order in which the tasks of its bag ended.
   *
   * @param place 1, 2, 3...; never changes
   */
  record Placed(int place, TaskOutcome outcome) {}

  /** Checks, escrows the budget, writes the tasks and opens the bag; returns when it is open. */
  Summary submit(String owner, Submission submission);

  /** All bags, or those of one owner, newest first. */
  List<Summary> list(Optional<String> owner, int limit);

  Optional<Summary> find(String jobId);

  /** Cancels; wins over everything that still runs. Cancelling an ended bag changes nothing. */
  Summary cancel(String jobId, String reason);

  /** Tasks that ended, by index greater than {@code afterIndex}, in the order of the index. */
  List<TaskOutcome> outcomes(String jobId, int afterIndex, int limit);

  /** Tasks that ended, with a place greater than {@code afterPlace}, in the order they ended. */
  List<Placed> completions(String jobId, int afterPlace, int limit);

  /**
   * Calls back with the bag's id after each change, coalesced; the callback must not block.
   *
   * @return closes the subscription
   */
  AutoCloseable onChange(Consumer<String> changed);
}
