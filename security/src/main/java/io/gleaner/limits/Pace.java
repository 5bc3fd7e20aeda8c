package io.gleaner.limits;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often somebody may ask, before a clock runs.
 *
 * @param atOnce at least one
 * @param perSecond 1 to a million
 */
public record Pace(int atOnce, int perSecond) {
  private static final int MOST_PER_SECOND = 1_000_000;

  /**
   * Checks the pace.
   *
   * @throws IllegalArgumentException if it is none
   */
  public Pace {
    if (perSecond < 1 || perSecond > MOST_PER_SECOND) {
      throw new IllegalArgumentException(
          "a rate is " + perSecond + " a second, expected 1 to " + MOST_PER_SECOND);
    }
    if (atOnce < 1) {
      throw new IllegalArgumentException("a rate is " + atOnce + " at once, expected 1 or more");
    }
  }

  /**
   * Nothing was asked yet.
   *
   * @param nanos a clock that never goes back
   */
  public Rate begin(LongSupplier nanos) {
    return new Rate(atOnce, Duration.ofSeconds(1).dividedBy(perSecond), nanos);
  }

  /** The end of the sentence with which somebody is refused who comes so many nanos too early. */
  public String refusal(String what, long tooEarly) {
    return "more than "
        + perSecond
        + " "
        + what
        + " a second; try again in "
        + (TimeUnit.NANOSECONDS.toMillis(tooEarly) + 1)
        + " ms";
  }
}
