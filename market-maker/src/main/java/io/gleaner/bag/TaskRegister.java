package io.gleaner.bag;

import io.gleaner.tuple.TaskEntry;
import java.util.Optional;

/**
 * Where verification finds the terms of a bag and says how its tasks ended. Safe for all threads.
 */
public interface TaskRegister {

  /**
   * What verification needs to know of an open bag.
   *
   * @param replication equal results that a task needs
   * @param maxAttempts faults of a task after which it is parked
   * @param microUnitsPerTask most work that is paid for one task
   * @param microsPerTask most that one task may cost, {@link Long#MAX_VALUE} without a limit
   */
  record Terms(
      String owner, int replication, int maxAttempts, long microUnitsPerTask, long microsPerTask) {}

  /** The terms, or empty unless the bag is open: results of other bags are dropped unpaid. */
  Optional<Terms> termsOfOpen(String jobId);

  /**
   * The task as it was submitted: first attempt, replica 0, no faults. Verification writes it again
   * with its own numbers when an attempt failed or a result was refused.
   *
   * @return empty if there is no such task
   */
  Optional<TaskEntry> task(String jobId, int taskIndex);

  /**
   * Records on disk how a task ended, counts it, and ends the bag with its last task.
   *
   * @return false if it was recorded before, and then nothing changed
   */
  boolean ended(String jobId, Bags.TaskOutcome outcome);
}
