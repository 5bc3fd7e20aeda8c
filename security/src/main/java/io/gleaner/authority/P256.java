package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.PublicKeyFactory;

/** Keys and signatures of ECDSA over P-256 with SHA-256, the only ones of certificates here. */
public final class P256 {
  /** The signature algorithm, as Java names it. */
  public static final String ALGORITHM = "SHA256withECDSA";

  private static final String CURVE = "secp256r1";

  private P256() {}

  public static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has P-256", e);
    }
  }

  /** Whether the two belong together. */
  static boolean isPair(PrivateKey privateKey, PublicKey publicKey) {
    byte[] probe = {1};
    try {
      return verifies(publicKey, probe, sign(privateKey, probe));
    } catch (SecurityRefusal e) {
      return false;
    }
  }

  /** A signature in DER form. */
  public static byte[] sign(PrivateKey key, byte[] message) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new SecurityRefusal(Code.INVALID, "this key cannot sign: " + e.getMessage(), e);
    }
  }

  /** Whether the signature is the key's over the message; false for whatever is malformed. */
  public static boolean verifies(PublicKey key, byte[] message, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(message);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * The key as this platform encodes it, whatever form of the point came.
   *
   * @throws SecurityRefusal if it is of another kind or curve, or no point of the curve
   */
  static PublicKey publicKey(SubjectPublicKeyInfo info) {
    var algorithm = info.getAlgorithm();
    if (!algorithm.getAlgorithm().equals(X9ObjectIdentifiers.id_ecPublicKey)
        || !SECObjectIdentifiers.secp256r1.equals(algorithm.getParameters())) {
      throw new SecurityRefusal(
          Code.REQUEST_REFUSED,
          "the key is not one of P-256; make one with: -pkeyopt" + " ec_paramgen_curve:P-256");
    }
    try {
      // Refuses what is not on the curve.
      var q = ((ECPublicKeyParameters) PublicKeyFactory.createKey(info)).getQ().normalize();
      ECPoint point =
          new ECPoint(q.getAffineXCoord().toBigInteger(), q.getAffineYCoord().toBigInteger());
      AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
      curve.init(new ECGenParameterSpec(CURVE));
      return KeyFactory.getInstance("EC")
          .generatePublic(
              new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new SecurityRefusal(Code.REQUEST_REFUSED, "the key is no point of the curve P-256", e);
    }
  }
}
