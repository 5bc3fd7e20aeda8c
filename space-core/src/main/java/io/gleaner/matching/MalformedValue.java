package io.gleaner.matching;

/** Bytes that are no encoded value, or name a class that is not what they say. */
final class MalformedValue extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedValue(String message) {
    super(message);
  }

  MalformedValue(String message, Throwable cause) {
    super(message, cause);
  }
}
