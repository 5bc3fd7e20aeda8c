package io.gleaner.idle;

/** One thing that can be measured on this machine. */
@FunctionalInterface
public interface Sensor<T> {

  /** Measures now; may take a while, see {@link TimedSensor}. */
  Reading<T> read();
}
