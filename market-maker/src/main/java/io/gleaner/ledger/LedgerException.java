package io.gleaner.ledger;

/** A posting that is refused; nothing was moved. */
public final class LedgerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on. */
  public enum Code {
    /** The paying account does not hold that much. */
    NOT_ENOUGH_CREDITS,
    /** A later epoch has begun: another leader is in office. */
    STALE_EPOCH,
    /** The epoch has not begun yet; the same call may succeed later. */
    UNKNOWN_EPOCH,
    /** The cause was used before for another payment; it will never succeed. */
    CAUSE_REUSED,
    /** The call makes no sense; it will never succeed. */
    INVALID,
    /** The database refused; the same call may succeed later. */
    STORAGE
  }

  private final Code code;

  public LedgerException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public LedgerException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
