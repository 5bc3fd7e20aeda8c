package io.gleaner.book;

import java.time.Instant;

/**
 * A bag that bids, as the market was told.
 *
 * @param microsPerUnit highest price for one unit of work
 * @param microsPerTask highest price for one task, {@link Long#MAX_VALUE} without one
 * @param submitted orders equal bids: the older comes first
 * @param deadline after it nothing of the bag runs, {@link Instant#MAX} without one
 * @param revoked whether its program or the signer of that was revoked: no launcher runs it
 * @param estimateMicroUnits expected work of one task, at least 1
 * @param remainingTasks tasks and copies without an accepted result, running ones too
 * @param freeMicros what is left in its escrow
 * @param version changes whenever its bid or job does; counters do not count
 */
public record WaitingBag(
    String jobId,
    String owner,
    Requirements requirements,
    long microsPerUnit,
    long microsPerTask,
    Instant submitted,
    Instant deadline,
    boolean revoked,
    long estimateMicroUnits,
    int remainingTasks,
    long freeMicros,
    long version) {
  public WaitingBag {
    if (microsPerUnit < 0 || microsPerTask < 0 || estimateMicroUnits < 1 || remainingTasks < 0) {
      throw new IllegalArgumentException(
          "bag " + jobId + ": negative bid or count, or an estimate under one micro-unit");
    }
  }

  /** The bid as a price per unit: a price per task is converted by the estimate. */
  public long bidMicrosPerUnit() {
    return Math.min(microsPerUnit, Cost.microsPerUnit(microsPerTask, estimateMicroUnits));
  }

  /** What one task of the estimated size costs at this price. */
  public long costOfTask(long atMicrosPerUnit) {
    return Cost.micros(atMicrosPerUnit, estimateMicroUnits);
  }
}
