package io.gleaner.matching;

/** The value has no canonical form; Java serialisation may know one. */
final class NotCanonical extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  NotCanonical(String message) {
    super(message);
  }
}
