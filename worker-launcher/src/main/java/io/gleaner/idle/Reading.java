package io.gleaner.idle;

/** What a sensor found. Unknown is an answer, and it means busy (D12). */
public sealed interface Reading<T> {

  /** The sensor answered. */
  record Known<T>(T value) implements Reading<T> {}

  /** This machine has no such thing to measure, so no rule about it applies. */
  record Absent<T>(String why) implements Reading<T> {}

  /** The sensor failed, or did not answer in time. */
  record Unknown<T>(String why) implements Reading<T> {}

  static <T> Reading<T> known(T value) {
    return new Known<>(value);
  }

  static <T> Reading<T> absent(String why) {
    return new Absent<>(why);
  }

  static <T> Reading<T> unknown(String why) {
    return new Unknown<>(why);
  }
}
