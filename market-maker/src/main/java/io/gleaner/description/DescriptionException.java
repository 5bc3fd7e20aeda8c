package io.gleaner.description;

import java.util.List;

/** A description that is refused, with every error found. */
public final class DescriptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names of what is wrong. */
  public enum Code {
    /** The text breaks the format; {@link #problems} lists every error with line and field. */
    INVALID,
    /** A file that the description names was not handed in or cannot be read. */
    MISSING_FILE,
    /** More tasks or bytes than a bag may have. */
    LIMIT
  }

  private final Code code;
  private final transient List<Problem> problems;

  DescriptionException(Code code, String message) {
    super(message);
    this.code = code;
    this.problems = List.of();
  }

  DescriptionException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.problems = List.of();
  }

  DescriptionException(List<Problem> problems) {
    super(
        problems.size() == 1
            ? "the description has an error: " + problems.get(0)
            : "the description has " + problems.size() + " errors; the first: " + problems.get(0));
    this.code = Code.INVALID;
    this.problems = List.copyOf(problems);
  }

  public Code code() {
    return code;
  }

  /** Every error, in the order of the lines; empty unless the code is {@code INVALID}. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }
}
