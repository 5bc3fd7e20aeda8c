package io.gleaner.space.core;

/**
 * The longest leases that are granted, in milliseconds; who asks for more, or for any, gets these.
 * {@link Long#MAX_VALUE} is without end.
 *
 * @param sessionMillis what every client gets; whoever holds a session renews it three times in it
 */
public record LeaseCaps(
    long entryMillis, long registrationMillis, long transactionMillis, long sessionMillis) {

  public static final LeaseCaps DEFAULT =
      new LeaseCaps(Long.MAX_VALUE, Long.MAX_VALUE, 3_600_000, 60_000);

  public LeaseCaps {
    if (entryMillis < 1 || registrationMillis < 1 || transactionMillis < 1 || sessionMillis < 1) {
      throw new IllegalArgumentException("every longest lease of a space is at least 1 ms");
    }
  }

  /** What is granted to whoever wants so much; a negative number wants any. */
  static long granted(long wantedMillis, long mostMillis) {
    return wantedMillis < 0 ? mostMillis : Math.min(wantedMillis, mostMillis);
  }
}
