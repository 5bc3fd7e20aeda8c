package io.gleaner.secrets;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Text that must not show up in a log: {@link #toString} hides it and comparison takes the same
 * time wherever two secrets differ. Immutable.
 */
public final class Secret {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int TOKEN_BYTES = 32;

  private final String text;

  private Secret(String text) {
    this.text = text;
  }

  public static Secret of(String text) {
    if (text.isEmpty()) {
      throw new SecurityRefusal(
          SecurityRefusal.Code.INVALID, "a secret must have at least one character");
    }
    return new Secret(text);
  }

  /** A new token of 256 random bits, in characters that are safe in a file, header or URL. */
  public static Secret random() {
    byte[] bytes = new byte[TOKEN_BYTES];
    RANDOM.nextBytes(bytes);
    return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The text itself; for the wire, a hash function or a file of the owner's, never for a log. */
  public String reveal() {
    return text;
  }

  /** The text as UTF-8. */
  public byte[] revealBytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret s && MessageDigest.isEqual(revealBytes(), s.revealBytes());
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return "[hidden]";
  }
}
