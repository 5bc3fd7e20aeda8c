package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Signatures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** X.509 certificates as bytes and as text, with limits on what is read. */
public final class Certificates {
  /** The most certificates that are read at once. */
  public static final int MOST = 16;

  /** The most bytes or characters that are read at once. */
  public static final int LARGEST = 64 * 1024;

  private static final String BEGIN = "-----BEGIN CERTIFICATE-----\n";
  private static final String END = "\n-----END CERTIFICATE-----\n";

  private Certificates() {}

  /** The serial number in lower-case hexadecimal digits. */
  public static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(16);
  }

  /** One after the other in DER form. */
  public static byte[] encode(List<X509Certificate> certificates) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    certificates.forEach(certificate -> out.writeBytes(der(certificate)));
    return out.toByteArray();
  }

  /**
   * Reads what {@link #encode} or {@link #pem} wrote, or a file of PEM certificates.
   *
   * @return at least one
   * @throws SecurityRefusal if it is empty, too long, or holds anything else
   */
  public static List<X509Certificate> decode(byte[] bytes) {
    if (bytes.length > LARGEST) {
      throw refusal("more than " + LARGEST + " bytes", null);
    }
    List<X509Certificate> all = new ArrayList<>();
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      while (in.available() > 0 && all.size() <= MOST) {
        if (!(factory.generateCertificate(in) instanceof X509Certificate certificate)) {
          throw refusal("something else", null);
        }
        all.add(certificate);
        skipWhiteSpace(in);
      }
    } catch (CertificateException | RuntimeException e) {
      throw e instanceof SecurityRefusal refused ? refused : refusal("something malformed", e);
    }
    if (all.isEmpty() || all.size() > MOST) {
      throw refusal(all.isEmpty() ? "none" : "more than " + MOST, null);
    }
    return List.copyOf(all);
  }

  /** One after the other as text (RFC 7468). */
  public static String pem(List<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      text.append(BEGIN)
          .append(
              Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                  .encodeToString(der(certificate)))
          .append(END);
    }
    return text.toString();
  }

  /** Whether the certificate is signed by its own key. */
  public static boolean isOwn(X509Certificate certificate) {
    return Signatures.isSignedBy(certificate, certificate.getPublicKey());
  }

  /**
   * Whether it is the time of the certificate.
   *
   * @throws SecurityRefusal with what is wrong if it is not
   */
  public static void requireTime(X509Certificate certificate, Instant now) {
    Instant begins = certificate.getNotBefore().toInstant();
    Instant ends = certificate.getNotAfter().toInstant();
    String what =
        "the certificate of "
            + PoolIdentity.of(certificate)
                .map(PoolIdentity::uri)
                .orElseGet(() -> certificate.getSubjectX500Principal().getName());
    if (now.isBefore(begins)) {
      throw new SecurityRefusal(
          Code.NOT_TRUSTED,
          what + " begins at " + begins + " and it is " + now + "; check the clocks");
    } else if (now.isAfter(ends)) {
      throw new SecurityRefusal(
          Code.NOT_TRUSTED,
          what
              + " ended at "
              + ends
              + " and it is "
              + now
              + "; get a new one (members join again), or check the clocks");
    }
  }

  static byte[] der(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }

  private static void skipWhiteSpace(ByteArrayInputStream in) {
    int next;
    do {
      in.mark(1);
      next = in.read();
    } while (next >= 0 && Character.isWhitespace(next));
    in.reset();
  }

  private static SecurityRefusal refusal(String what, Exception cause) {
    return new SecurityRefusal(
        Code.NOT_TRUSTED,
        "certificates were expected, up to " + MOST + ", and there is " + what,
        cause);
  }
}
