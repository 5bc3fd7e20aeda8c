package io.gleaner.api.rest;

import io.gleaner.api.GleanerException;
import java.time.Duration;

/**
 * How long a client waits.
 *
 * @param connect for a connection
 * @param answer for the answer to one request
 * @param giveUp how long a request is tried again after the connection broke or the node was too
 *     busy; zero tries once
 */
public record Patience(Duration connect, Duration answer, Duration giveUp) {
  private static final long LEAST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  public Patience {
    if (!isPositive(connect) || !isPositive(answer) || giveUp.isNegative()) {
      throw new GleanerException(
          GleanerException.Code.INVALID,
          "the times to connect and to answer are positive and the time to give up is not"
              + " negative, got %s, %s and %s".formatted(connect, answer, giveUp));
    }
  }

  /** Five seconds to connect, a minute to answer, a minute of trying again. */
  public static Patience usual() {
    return new Patience(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofMinutes(1));
  }

  public Patience withGiveUp(Duration time) {
    return new Patience(connect, answer, time);
  }

  /** The pause after so many earlier tries: twice as long each time, two seconds at most. */
  static long pauseMillis(int tries) {
    return Math.min(LONGEST_PAUSE_MILLIS, LEAST_PAUSE_MILLIS << Math.min(tries, 10));
  }

  private static boolean isPositive(Duration time) {
    return !time.isNegative() && !time.isZero();
  }
}
