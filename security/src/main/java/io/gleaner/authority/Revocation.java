package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.time.Instant;

/**
 * That a certificate or an identity counts no more.
 *
 * @param subject the serial number in hexadecimal digits ({@link Certificates#serial}), or the URI
 *     of the identity
 * @param reason one line for people, up to 200 characters
 */
public record Revocation(Kind kind, String subject, Instant at, String reason) {
  private static final int LONGEST_REASON = 200;

  /** What is revoked. */
  public enum Kind {
    /** One certificate; its holder may get another one. */
    SERIAL,
    /** A member with all certificates that it has and will have. */
    IDENTITY
  }

  public Revocation {
    if (reason.isBlank() || reason.length() > LONGEST_REASON || !reason.matches("[^\\p{Cntrl}]+")) {
      throw new SecurityRefusal(
          Code.INVALID, "a revocation needs a reason of one line, up to 200 characters");
    }
  }
}
