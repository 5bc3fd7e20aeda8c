package io.gleaner.authority;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.PublicKeyFactory;

/** Keys of ECDSA over P-256, the only ones that the pool's certificates are for. */
public final class P256 {
  /** The signature algorithm, as Java names it. */
  public static final String ALGORITHM = "SHA256withECDSA";

  private static final String CURVE = "secp256r1";
  private static final int LARGEST_BYTES = 4096;
  private static final String NO_KEY =
      "this is no public key: expected a SubjectPublicKeyInfo of up to 4 KiB";

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

  /**
   * The key in a SubjectPublicKeyInfo of up to 4 KiB.
   *
   * @throws SecurityRefusal if it is none, of another kind or curve, or no point of the curve
   */
  public static PublicKey publicKey(byte[] der) {
    SubjectPublicKeyInfo info;
    try {
      info = SubjectPublicKeyInfo.getInstance(der.length <= LARGEST_BYTES ? der : new byte[0]);
    } catch (RuntimeException e) {
      throw new SecurityRefusal(Code.REQUEST_REFUSED, NO_KEY, e);
    }
    if (info == null) {
      throw new SecurityRefusal(Code.REQUEST_REFUSED, NO_KEY);
    }
    return publicKey(info);
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
