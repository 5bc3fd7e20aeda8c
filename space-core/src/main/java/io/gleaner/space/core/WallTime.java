package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;

/**
 * The time of day at which a cell was started last, beside the time of the cell: so the next start
 * can tell how long the cell stood still meanwhile. For one thread.
 */
final class WallTime {
  private static final long UNKNOWN = 0;

  private long startedMillis;
  private long startedNanos;

  /**
   * Notes a start.
   *
   * @param nowMillis the time of day, which may have jumped
   * @param nowNanos the time of the cell
   * @return for how many milliseconds no time passed for the cell since the start before, at least
   *     0; 0 if that is not known
   */
  long started(long nowMillis, long nowNanos) {
    long stoodStill = 0;
    if (startedMillis > UNKNOWN && nowMillis > startedMillis) {
      long wentOn = Deadlines.millisBetween(startedNanos, nowNanos);
      stoodStill = Math.max(0, nowMillis - startedMillis - wentOn);
    }
    startedMillis = Math.max(UNKNOWN, nowMillis);
    startedNanos = nowNanos;
    return stoodStill;
  }

  void save(StateWriter to) {
    to.number(startedMillis);
    to.number(startedNanos);
  }

  void load(StateReader from) {
    startedMillis = from.number();
    startedNanos = from.number();
  }
}
