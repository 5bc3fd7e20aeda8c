package io.gleaner.identity;

import io.gleaner.limits.Recent;
import io.gleaner.secrets.SecurityRefusal;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Slows down guessing: after five failures in a row a name waits, first one second, then twice as
 * long each time up to a quarter of an hour. Names that do not exist wait the same, so that nothing
 * tells them apart. Safe for all threads; guarded by its monitor.
 *
 * <p>At most ten thousand names are remembered, the longest unused forgotten first.
 */
public final class SignInThrottle {
  private static final int FREE_FAILURES = 5;
  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
  private static final int MOST_NAMES = 10_000;

  private record Failures(int count, long nextTryNanos) {}

  private final LongSupplier nanos;
  private final Map<String, Failures> failuresByName = new Recent<>(MOST_NAMES);

  /**
   * Nobody is remembered yet.
   *
   * @param nanos a clock that never goes back
   */
  public SignInThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Counts the try as a failure until {@link #succeeded} says otherwise, so that parallel guesses
   * gain nothing.
   *
   * @throws SecurityRefusal if the name must still wait
   */
  public synchronized void begin(String name) {
    long now = nanos.getAsLong();
    Failures before = failuresByName.getOrDefault(name, new Failures(0, now));
    long tooEarly = before.nextTryNanos - now;
    if (tooEarly > 0) {
      throw SecurityRefusal.throttled(
          "too many failed tries for this name", Duration.ofNanos(tooEarly));
    }
    int count = before.count + 1;
    failuresByName.put(
        name, new Failures(count, count < FREE_FAILURES ? now : now + waitAfter(count).toNanos()));
  }

  /** The try was right: the name starts afresh. */
  public synchronized void succeeded(String name) {
    failuresByName.remove(name);
  }

  private static Duration waitAfter(int failures) {
    int doublings = Math.min(failures - FREE_FAILURES, 20);
    Duration wait = FIRST_WAIT.multipliedBy(1L << doublings);
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }
}
