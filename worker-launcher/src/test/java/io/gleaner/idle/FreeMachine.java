package io.gleaner.idle;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Set;

/** A machine that nobody uses, for tests. */
public final class FreeMachine {
  /** What its sensors say. */
  public static final Observations SEEN =
      new Observations(
          Reading.known(Duration.ofHours(1)),
          Reading.known(new Others(0.05, Set.of("init"))),
          Reading.known(Power.MAINS),
          Reading.known(new Memory(60, 0)),
          Reading.known(45.0),
          Reading.known(100L << 30),
          Reading.known(false));

  private FreeMachine() {}

  /** What they say but for one, by its name in {@link Observations}. */
  public static Observations but(String what, Reading<?> reading) {
    RecordComponent[] parts = Observations.class.getRecordComponents();
    try {
      Object[] values = new Object[parts.length];
      boolean found = false;
      for (int i = 0; i < parts.length; i++) {
        boolean isIt = parts[i].getName().equals(what);
        values[i] = isIt ? reading : parts[i].getAccessor().invoke(SEEN);
        found |= isIt;
      }
      if (!found) {
        throw new IllegalArgumentException("there is no observation named " + what);
      }
      return (Observations) Observations.class.getConstructors()[0].newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its probes, but for one that tells when somebody typed. */
  public static Sensors.Probes touched(Sensor<Duration> input) {
    return new Sensors.Probes(
        input,
        SEEN::others,
        SEEN::power,
        SEEN::memory,
        SEEN::temperature,
        SEEN::diskFree,
        SEEN::metered);
  }
}
