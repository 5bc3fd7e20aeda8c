package io.gleaner.idle;

import java.time.Duration;

/**
 * What the sensors said at one moment.
 *
 * @param inputIdle since when nobody touched keyboard, mouse or terminal
 * @param otherLoad cores that programs other than this launcher and its tasks use
 * @param power where the power comes from
 */
public record Observations(
    Reading<Duration> inputIdle, Reading<Double> otherLoad, Reading<PowerSource> power) {

  /** Nothing has been measured yet. */
  public static Observations none() {
    return new Observations(
        Reading.unknown("not measured yet"),
        Reading.unknown("not measured yet"),
        Reading.unknown("not measured yet"));
  }
}
