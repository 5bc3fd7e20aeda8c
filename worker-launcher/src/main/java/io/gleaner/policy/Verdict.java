package io.gleaner.policy;

/** What the observations say of the machine, with the reason in numbers. */
record Verdict(Kind kind, String reason) {

  /** Three answers, so that the load may rise a little without a change. */
  enum Kind {
    /** Work may begin. */
    FREE,
    /** Work may go on, but not begin. */
    BETWEEN,
    /** Others use more of the processor than they may. */
    LOADED,
    /** The owner needs the machine, or may. */
    BUSY
  }
}
