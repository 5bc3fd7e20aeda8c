package io.gleaner.maker;

/** What the market-maker could not do; a stable code and a sentence. */
public final class MakerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on. */
  public enum Code {
    /** A setting is out of its range or contradicts another. */
    INVALID_SETTINGS,
    /** The space refused or could not be reached; the next round tries again. */
    SPACE,
    /** The database refused or could not be reached; the next round tries again. */
    STORAGE,
    /** Another market-maker is in office. */
    NOT_IN_OFFICE,
    /** The thread was told to stop. */
    INTERRUPTED
  }

  private final Code code;

  public MakerException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public MakerException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
