package io.gleaner.idle;

import java.time.Duration;

/**
 * What the sensors said at one moment.
 *
 * @param inputIdle since when nobody touched keyboard, mouse or terminal
 * @param others who else runs, and what they use
 * @param power where the power comes from
 * @param memory how short memory is
 * @param temperature the hottest sensor, in degrees Celsius
 * @param diskFree bytes free on the disk of the data folder
 * @param metered whether the network costs by the byte
 */
public record Observations(
    Reading<Duration> inputIdle,
    Reading<Others> others,
    Reading<Power> power,
    Reading<Memory> memory,
    Reading<Double> temperature,
    Reading<Long> diskFree,
    Reading<Boolean> metered) {

  /** Nothing has been measured yet. */
  public static Observations none() {
    return new Observations(
        unknown(), unknown(), unknown(), unknown(), unknown(), unknown(), unknown());
  }

  private static <T> Reading<T> unknown() {
    return Reading.unknown("not measured yet");
  }
}
