package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * SHA-256 of a public key as it stands in a certificate (SubjectPublicKeyInfo, RFC 5280 section
 * 4.1; the same value that RFC 7469 pins). Of the key and not of a certificate, because an
 * authority has several over one key: its own, the one that its predecessor gave it, and a
 * prolonged one; it stays the same authority. Immutable.
 */
public final class Fingerprint {
  /** Length in bytes. */
  public static final int BYTES = 32;

  private static final int GROUP = 4;

  private final byte[] digest;

  private Fingerprint(byte[] digest) {
    this.digest = digest;
  }

  public static Fingerprint of(PublicKey key) {
    return new Fingerprint(Digests.sha256().digest(key.getEncoded()));
  }

  /** Of the certificate's own key. */
  public static Fingerprint of(X509Certificate certificate) {
    return of(certificate.getPublicKey());
  }

  /**
   * From 64 hexadecimal digits; colons, white space and case do not matter.
   *
   * @throws SecurityRefusal if it is none
   */
  public static Fingerprint parse(String text) {
    if (text.length() <= 4 * BYTES) {
      String digits = text.replaceAll("[:\\s]", "").toLowerCase(Locale.ROOT);
      if (Digests.isSha256Hex(digits)) {
        return new Fingerprint(HexFormat.of().parseHex(digits));
      }
    }
    throw new SecurityRefusal(
        Code.INVALID, "this is no fingerprint: expected 64 hexadecimal digits in groups of four");
  }

  /** 64 lower-case hexadecimal digits, for tables and file names. */
  public String hex() {
    return Digests.hex(digest);
  }

  /** The first bytes. */
  public byte[] start(int length) {
    return Arrays.copyOf(digest, length);
  }

  /** Whether it begins with these bytes; takes the same time wherever they differ. */
  public boolean startsWith(byte[] start) {
    return start.length <= BYTES && MessageDigest.isEqual(start, start(start.length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint f && MessageDigest.isEqual(digest, f.digest);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(digest);
  }

  /** For people to compare: sixteen groups of four digits. */
  @Override
  public String toString() {
    String hex = hex();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < hex.length(); i += GROUP) {
      text.append(i == 0 ? "" : ":").append(hex, i, i + GROUP);
    }
    return text.toString();
  }
}
