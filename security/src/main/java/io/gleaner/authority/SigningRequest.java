package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A PKCS#10 request (RFC 2986) for a certificate, of which only the key counts: subject, names and
 * attributes that it asks for are ignored.
 *
 * @param key on P-256; the request was signed with its private half
 */
public record SigningRequest(PublicKey key) {
  /** The longest request that is read, in bytes. */
  public static final int LARGEST_BYTES = 4096;

  /** Makes a request in DER form, signed with the key. */
  public static byte[] encode(KeyPair keys) {
    try {
      return new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=gleaner"), keys.getPublic())
          .build(new JcaContentSignerBuilder(P256.ALGORITHM).build(keys.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException | IOException e) {
      throw new SecurityRefusal(
          Code.INVALID, "this key cannot sign a request: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a request in DER form and checks the proof that its sender has the private key.
   *
   * @throws SecurityRefusal if it is too long, malformed, of another curve, or the proof is wrong
   */
  public static SigningRequest decode(byte[] der) {
    if (der.length > LARGEST_BYTES) {
      throw refusal("it has more than " + LARGEST_BYTES + " bytes", null);
    }
    PKCS10CertificationRequest request = parse(der);
    PublicKey key = P256.publicKey(request.getSubjectPublicKeyInfo());
    if (!request
        .getSignatureAlgorithm()
        .getAlgorithm()
        .equals(X9ObjectIdentifiers.ecdsa_with_SHA256)) {
      throw refusal("it is not signed by ECDSA with SHA-256", null);
    }
    try {
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        throw refusal("its signature is not that of its key", null);
      }
    } catch (PKCSException | OperatorCreationException | RuntimeException e) {
      if (e instanceof SecurityRefusal refusal) {
        throw refusal;
      }
      throw refusal("its signature cannot be read", e);
    }
    return new SigningRequest(key);
  }

  private static PKCS10CertificationRequest parse(byte[] der) {
    try {
      PKCS10CertificationRequest request = new PKCS10CertificationRequest(der);
      if (request.getEncoded().length != der.length) {
        throw refusal("something follows it", null);
      }
      // Lazy structures are read here, where whatever they throw is caught.
      request.getSubjectPublicKeyInfo().getAlgorithm();
      request.getSignature();
      return request;
    } catch (SecurityRefusal e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw refusal("it is no PKCS#10 request in DER form", e);
    }
  }

  private static SecurityRefusal refusal(String why, Exception cause) {
    return new SecurityRefusal(
        Code.REQUEST_REFUSED, "the request for a certificate is refused: " + why, cause);
  }
}
