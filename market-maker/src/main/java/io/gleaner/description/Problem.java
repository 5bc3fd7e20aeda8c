package io.gleaner.description;

import java.util.Comparator;

/**
 * One error of a description.
 *
 * @param line where it is, from 1
 * @param column where it is, from 1
 * @param field path of the field, as {@code limits.time}
 * @param message what was found, what was expected and what to do
 */
public record Problem(int line, int column, String field, String message) {

  static final Comparator<Problem> BY_PLACE =
      Comparator.comparingInt(Problem::line)
          .thenComparingInt(Problem::column)
          .thenComparing(Problem::field)
          .thenComparing(Problem::message);

  @Override
  public String toString() {
    return "line " + line + ", column " + column + ", " + field + ": " + message;
  }
}
