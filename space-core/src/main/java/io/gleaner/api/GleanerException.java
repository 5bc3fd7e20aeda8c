package io.gleaner.api;

import java.util.List;

/** What the application API cannot do or the market refuses: a stable code and a sentence. */
public final class GleanerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that programs may rely on. */
  public enum Code {
    /** A setting or an argument is missing or out of range. */
    INVALID,
    /** Nothing answers at the address, or it stopped answering for longer than the patience. */
    UNREACHABLE,
    /** The token is unknown, expired or not allowed to do this. */
    NOT_ALLOWED,
    /** The console does not prove to be who it should be. */
    NOT_TRUSTED,
    /** There is no such bag of the caller's. */
    NOT_FOUND,
    /** The market refuses; {@link #problems} has the details. */
    REFUSED,
    /** A file of the bag is not at the node. */
    MISSING_FILE,
    /** The credits do not cover the budget. */
    NOT_ENOUGH_CREDITS,
    /** The bag was cancelled before all its tasks had ended. */
    CANCELLED,
    /** The bag ended early because a task failed for good. */
    BAG_FAILED,
    /** A task failed for good; the message has the reason. */
    TASK_FAILED,
    /** A call, its values or its result cannot be turned into bytes and back. */
    NOT_SERIALISABLE,
    /** A call, a bundle or a result is longer than is allowed. */
    TOO_LARGE,
    /** What came is not what was sent or agreed. */
    DAMAGED,
    /** A file of the caller's cannot be read or written. */
    FILE,
    /** The thread was interrupted; its flag is set. */
    INTERRUPTED,
    /** This end was closed. */
    CLOSED
  }

  private final Code code;
  private final transient List<String> problems;

  public GleanerException(Code code, String message) {
    this(code, message, List.of());
  }

  public GleanerException(Code code, String message, List<String> problems) {
    super(message);
    this.code = code;
    this.problems = List.copyOf(problems);
  }

  public GleanerException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.problems = List.of();
  }

  public Code code() {
    return code;
  }

  /** Every single error where there may be several, for instance of a bag; else empty. */
  public List<String> problems() {
    return problems == null ? List.of() : problems;
  }
}
