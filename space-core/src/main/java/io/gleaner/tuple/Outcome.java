package io.gleaner.tuple;

/** How an attempt ended. */
public enum Outcome {
  /** It returned a result. */
  COMPLETED,
  /** It failed through the task itself. */
  FAILED
}
