package io.gleaner.tls;

import io.gleaner.authority.Certificates;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Signatures;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * What one end of a connection shows and proves: a certificate with those above it, and its private
 * key.
 *
 * @param chain the own certificate first
 */
public record Credentials(PrivateKey key, List<X509Certificate> chain) {
  private static final Integer DNS_NAME = 2;
  private static final Integer IP_ADDRESS = 7;

  public Credentials {
    chain = List.copyOf(chain);
    if (chain.isEmpty() || !Signatures.isPair(key, chain.get(0).getPublicKey())) {
      throw new SecurityRefusal(
          Code.INVALID, "the private key is not that of the certificate; check which two belong");
    }
  }

  /**
   * An operator's own certificate for the console, with an EC or RSA key.
   *
   * @param certificates PEM, the own one first, then those above it
   * @param key PEM without a passphrase, in a file that nobody else can read
   * @throws SecurityRefusal if a file cannot be read, or they do not belong together
   */
  public static Credentials ofFiles(Path certificates, Path key) {
    try {
      if (Files.size(certificates) > Certificates.LARGEST) {
        throw new SecurityRefusal(Code.INVALID, certificates + " is too long for certificates");
      }
      return new Credentials(
          privateKey(SecretFile.readBytes(key), key.toString()), decode(certificates));
    } catch (IOException e) {
      throw new SecurityRefusal(
          Code.INVALID,
          "the certificates in "
              + certificates
              + " cannot be read; name a file in PEM form, the own certificate first",
          e);
    }
  }

  private static List<X509Certificate> decode(Path file) throws IOException {
    try {
      return Certificates.decode(Files.readAllBytes(file));
    } catch (SecurityRefusal e) {
      throw new SecurityRefusal(Code.INVALID, file + ": " + e.getMessage(), e);
    }
  }

  public X509Certificate certificate() {
    return chain.get(0);
  }

  /**
   * The DNS names and addresses for which the certificate is, in lower case; a name may begin with
   * {@code *.} (RFC 5280 section 4.2.1.6).
   */
  public Set<String> hosts() {
    try {
      Collection<List<?>> names = certificate().getSubjectAlternativeNames();
      return names == null
          ? Set.of()
          : names.stream()
              .filter(name -> name.get(0).equals(DNS_NAME) || name.get(0).equals(IP_ADDRESS))
              .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
              .collect(Collectors.toUnmodifiableSet());
    } catch (CertificateParsingException e) {
      throw new SecurityRefusal(Code.INVALID, "the names in the certificate cannot be read", e);
    }
  }

  /** Without the key, which would show itself in a log. */
  @Override
  public String toString() {
    return "credentials of " + certificate().getSubjectX500Principal();
  }

  static PrivateKey privateKey(byte[] pem, String place) {
    try (PEMParser parser =
        new PEMParser(new StringReader(new String(pem, StandardCharsets.US_ASCII)))) {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
        if (each instanceof PrivateKeyInfo info) {
          return converter.getPrivateKey(info);
        } else if (each instanceof PEMKeyPair pair) {
          return converter.getKeyPair(pair).getPrivate();
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new SecurityRefusal(
          Code.INVALID, "the private key in " + place + " cannot be read: expected PEM", e);
    }
    throw new SecurityRefusal(
        Code.INVALID, "there is no private key without a passphrase in " + place);
  }
}
