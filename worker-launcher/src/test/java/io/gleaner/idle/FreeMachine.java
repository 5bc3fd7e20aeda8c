package io.gleaner.idle;

import java.time.Duration;

/** A machine that nobody uses, for tests. */
public final class FreeMachine {
  /** What its sensors say. */
  public static final Observations SEEN =
      new Observations(
          Reading.known(Duration.ofHours(1)),
          Reading.known(0.05),
          Reading.known(Power.MAINS),
          Reading.known(new Memory(60, 0)),
          Reading.known(45.0),
          Reading.known(100L << 30));

  private FreeMachine() {}

  /** Its probes, but for one that tells when somebody typed. */
  public static Sensors.Probes touched(Sensor<Duration> input) {
    return new Sensors.Probes(
        input, SEEN::otherLoad, SEEN::power, SEEN::memory, SEEN::temperature, SEEN::diskFree);
  }
}
