package io.gleaner.bag;

import java.util.List;

/** A bag that is refused: a stable code, a sentence, and for descriptions every error found. */
public final class BagException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on. */
  public enum Code {
    /** The description breaks its schema; {@link #problems} lists line and field of each error. */
    INVALID_DESCRIPTION,
    /** A file that the description names was not handed in. */
    MISSING_FILE,
    /** The owner's available credits do not cover the budget. */
    NOT_ENOUGH_CREDITS,
    /** There is no such bag. */
    UNKNOWN_BAG,
    /** The idempotency key was used for another description. */
    KEY_REUSED,
    /** A size or count is over a limit. */
    LIMIT,
    /** The space or the database does not answer; the same call may be made again. */
    UNAVAILABLE
  }

  private final Code code;
  private final List<String> problems;

  public BagException(Code code, String message) {
    this(code, message, List.of());
  }

  public BagException(Code code, String message, List<String> problems) {
    super(message);
    this.code = code;
    this.problems = List.copyOf(problems);
  }

  BagException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.problems = List.of();
  }

  public Code code() {
    return code;
  }

  public List<String> problems() {
    return problems;
  }
}
