package io.gleaner.space.core;

/** An operation that is still going on. */
interface Work {
  Work NONE = new Work() {};

  /** Its client does not want to wait longer: it answers as if the time had run out. */
  default void stopWaiting() {}

  /** Its session is gone: it gives back what it holds. */
  default void abandon() {}
}
