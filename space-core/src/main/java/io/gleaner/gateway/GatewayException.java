package io.gleaner.gateway;

/** A gateway that cannot be reached, started or spoken to. */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that callers may rely on. */
  public enum Code {
    /** The text is not {@code host:port}. */
    BAD_ADDRESS,
    /** The settings contradict themselves or are out of range. */
    BAD_SETTINGS,
    /** The port is taken or may not be used. */
    CANNOT_LISTEN,
    /** Nothing answers at the address. */
    UNREACHABLE,
    /** The gateway does not accept the join token, or the member was revoked. */
    TOKEN_REFUSED,
    /** The gateway ends the handshake: it does not accept the certificate, at least not now. */
    NOT_BELIEVED,
    /** What answers does not speak this version of the protocol, or not this protocol. */
    PROTOCOL,
    /** The gateway has no room for another connection. */
    LIMIT,
    /** The connection broke and did not come back in time. */
    LOST,
    /** This end was closed. */
    CLOSED
  }

  private final Code code;

  public GatewayException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public GatewayException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
