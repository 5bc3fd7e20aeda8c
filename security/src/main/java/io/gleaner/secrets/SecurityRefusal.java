package io.gleaner.secrets;

import java.time.Duration;

/** Something that this module refuses or could not do; the message never holds a secret. */
public final class SecurityRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on. */
  public enum Code {
    /** A file with a secret can be read by others, or is not a plain file of its owner. */
    SECRET_FILE_OPEN,
    /** A file with a secret is missing, empty, too long or cannot be read. */
    SECRET_FILE_UNREADABLE,
    /** No token was given in any of the places where it may come from. */
    TOKEN_MISSING,
    /** A token or password was given on the command line, where everybody can read it. */
    SECRET_ON_COMMAND_LINE,
    /** Too many failed sign-ins; wait before the next. */
    THROTTLED,
    /** A name, password, lifetime or role is not acceptable. */
    INVALID,
    /** The user exists already. */
    USER_EXISTS,
    /** There is no such user. */
    UNKNOWN_USER,
    /** No member of the pool has this name. */
    UNKNOWN_MEMBER,
    /** A token is unknown, over, used by another key, or mistyped. */
    TOKEN_REFUSED,
    /** A request for a certificate is malformed, of another curve, or proves nothing. */
    REQUEST_REFUSED,
    /** A certificate is not of this pool, not of the right role, or not valid now. */
    NOT_TRUSTED,
    /** A certificate or an identity was revoked. */
    REVOKED,
    /** A certificate is not to be renewed yet, or not any more. */
    NOT_RENEWABLE,
    /** The key of the pool's authority cannot be opened with this passphrase, or is not here. */
    AUTHORITY_LOCKED,
    /** A signature is missing, wrong, or of somebody who is not trusted. */
    SIGNATURE_REFUSED,
    /** An address beyond loopback, which nothing protects yet. */
    NOT_LOOPBACK,
    /** The database refused. */
    STORAGE
  }

  private final Code code;
  private final long waitSeconds;

  public SecurityRefusal(Code code, String message) {
    this(code, message, null);
  }

  public SecurityRefusal(Code code, String message, Throwable cause) {
    this(code, message, cause, 0);
  }

  private SecurityRefusal(Code code, String message, Throwable cause, long waitSeconds) {
    super(message, cause);
    this.code = code;
    this.waitSeconds = waitSeconds;
  }

  /** That somebody has to wait first. */
  public static SecurityRefusal throttled(String why, Duration wait) {
    long seconds = wait.toSeconds() + 1;
    return new SecurityRefusal(
        Code.THROTTLED, why + "; try again in " + seconds + " s", null, seconds);
  }

  /** How long to wait before the next try; 0 if waiting does not help. */
  public long waitSeconds() {
    return waitSeconds;
  }

  public Code code() {
    return code;
  }
}
