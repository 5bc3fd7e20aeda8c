package io.gleaner.bag;

import java.util.Optional;

/** What the market-maker asks about a bag before it awards slots. Safe for all threads. */
public interface OpenBags {

  /**
   * The open bag's counters.
   *
   * @param remainingTasks tasks without an accepted result that are not parked, running ones too
   * @param freeMicros what is left in its escrow
   */
  record Counters(int remainingTasks, long freeMicros) {}

  /** Counters of the bag, or empty unless it is open. */
  Optional<Counters> counters(String jobId);
}
