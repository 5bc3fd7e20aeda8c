package io.gleaner.audit;

/** How it ended. */
public enum Outcome {
  DONE,
  /** It was not allowed, or what was presented was wrong. */
  REFUSED
}
