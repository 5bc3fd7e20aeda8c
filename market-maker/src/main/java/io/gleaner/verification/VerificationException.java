package io.gleaner.verification;

/** Verification cannot go on with what it was given; the results stay in the space. */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that callers may rely on. */
  public enum Code {
    /** The settings make no sense. */
    INVALID,
    /** The database refused. */
    STORAGE,
    /** The space refused. */
    SPACE
  }

  private final Code code;

  public VerificationException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public VerificationException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
