package io.gleaner.limits;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How often somebody may ask: so many times at once, and once more every so often (a token bucket,
 * kept as the time at which it will be full again). Safe for all threads, without a lock.
 */
public final class Rate {
  private final long oneMoreNanos;
  private final long atOnceNanos;
  private final LongSupplier nanos;
  private final AtomicLong fullAgain;

  /**
   * @param atOnce at least one
   * @param oneMore at least a nanosecond
   * @param nanos a clock that never goes back
   */
  public Rate(int atOnce, Duration oneMore, LongSupplier nanos) {
    this.oneMoreNanos = oneMore.toNanos();
    this.atOnceNanos = Math.multiplyExact(oneMoreNanos, atOnce);
    this.nanos = nanos;
    this.fullAgain = new AtomicLong(nanos.getAsLong());
    if (atOnce < 1 || oneMoreNanos < 1) {
      throw new IllegalArgumentException(
          "a rate of " + atOnce + " at once and one more in " + oneMore + " lets nobody through");
    }
  }

  /**
   * Counts once more and answers 0; or answers how many nanos it is too early, and counts nothing.
   */
  public long asks() {
    while (true) {
      long now = nanos.getAsLong();
      long known = fullAgain.get();
      long next = (known - now > 0 ? known : now) + oneMoreNanos;
      long tooEarly = next - now - atOnceNanos;
      if (tooEarly > 0) {
        return tooEarly;
      }
      if (fullAgain.compareAndSet(known, next)) {
        return 0;
      }
    }
  }

  /** What was counted last does not count. */
  public void givesBack() {
    fullAgain.addAndGet(-oneMoreNanos);
  }

  /** Whether nothing was asked lately. */
  public boolean isUnused() {
    return fullAgain.get() - nanos.getAsLong() <= 0;
  }
}
