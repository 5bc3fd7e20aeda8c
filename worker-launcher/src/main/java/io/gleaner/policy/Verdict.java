package io.gleaner.policy;

/** What one rule or all of them say of the machine, with the reason in numbers. */
record Verdict(Kind kind, String reason) {

  /** From the best to the worst, so that readings may rise a little without a change. */
  enum Kind {
    /** Work may begin. */
    FREE,
    /** Work may go on, but not begin. */
    BETWEEN,
    /** More load or heat than work may bear for long. */
    LOADED,
    /** The owner needs the machine, or may. */
    BUSY,
    /** So short of memory that tasks that stand still are in the way too. */
    PRESSED
  }
}
