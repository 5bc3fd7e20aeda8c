package io.gleaner.http;

/** A request that the console refuses, or a start that failed: a stable code and a sentence. */
public final class ConsoleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on, with the HTTP status that goes with each. */
  public enum Code {
    /** A part of the request is missing or malformed. */
    INVALID_REQUEST(400),
    /** The Host header names another place, as after a rebound DNS name. */
    WRONG_HOST(421),
    /** Nobody is signed in, or the token is unknown or expired. */
    SIGN_IN_REQUIRED(401),
    /** Name or password is wrong. */
    WRONG_PASSWORD(401),
    /** The caller's roles do not allow it. */
    FORBIDDEN(403),
    /** A change without the token that only the console's own pages know. */
    FORGED(403),
    /** There is no such thing, or it is somebody else's. */
    NOT_FOUND(404),
    /** The path exists, the method does not. */
    METHOD_NOT_ALLOWED(405),
    /** The client took too long to send, or the answer too long to make. */
    TIMEOUT(408),
    /** The body is over its limit. */
    TOO_LARGE(413),
    /** The caller has no room for more blobs. */
    QUOTA(413),
    /** The body is in a format that is not taken here. */
    UNSUPPORTED_MEDIA_TYPE(415),
    /** The content is not that of the digest. */
    DIGEST_MISMATCH(422),
    /** Too many of something at a time; try again later. */
    TOO_MANY(429),
    /** Work is queued up to its bound. */
    BUSY(503),
    /** What the node keeps things in cannot be reached now. */
    UNAVAILABLE(503),
    /** The address could not be opened. */
    PORT_TAKEN(500),
    /** A fault of the console's own. */
    INTERNAL(500);

    private final int status;

    Code(int status) {
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  private final Code code;

  public ConsoleException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public ConsoleException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
