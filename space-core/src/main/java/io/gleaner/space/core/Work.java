package io.gleaner.space.core;

/** An operation that is still going on; it is over when its call is answered. */
interface Work {

  /** An operation that is over, or that is decided in the step in which it begins. */
  Work NONE =
      new Work() {
        @Override
        public void save(StateWriter to) {
          to.count(0);
        }
      };

  /** The space that it asked for is known here. */
  default void begin() {}

  /** Its client does not want to wait longer: it answers as if the time had run out. */
  default void stopWaiting() {}

  /** Its client has what it answered for now. */
  default void acknowledged() {}

  /**
   * Its session is gone: it gives back what it holds.
   *
   * @return whether something is still to come that it must hear of; it answers after that
   */
  default boolean abandon() {
    return false;
  }

  /** Writes its kind and itself; {@link Operations#load} reads it. */
  void save(StateWriter to);
}
