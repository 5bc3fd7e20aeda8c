package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.util.HexFormat;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/**
 * Who signs bundles or checkpoints: a public key of Ed25519 (RFC 8032).
 *
 * @param hex 32 bytes in 64 lower-case hexadecimal digits
 */
public record Signer(String hex) {
  static final int SIGNATURE_BYTES = 64;

  public Signer {
    if (!Digests.isSha256Hex(hex)) {
      throw refusal();
    }
    try {
      // Refuses what is no point of the curve, or one under which everything verifies.
      key(hex);
    } catch (RuntimeException e) {
      throw refusal();
    }
  }

  /**
   * Whether it signed the message.
   *
   * @param signature 128 lower-case hexadecimal digits; anything else is no signature
   */
  public boolean verifies(byte[] message, String signature) {
    return signature.matches("[0-9a-f]{128}")
        && verifies(message, HexFormat.of().parseHex(signature));
  }

  private boolean verifies(byte[] message, byte[] signature) {
    Ed25519Signer verifier = new Ed25519Signer();
    verifier.init(false, key(hex));
    verifier.update(message, 0, message.length);
    return signature.length == SIGNATURE_BYTES && verifier.verifySignature(signature);
  }

  @Override
  public String toString() {
    return hex;
  }

  private static Ed25519PublicKeyParameters key(String hex) {
    return new Ed25519PublicKeyParameters(HexFormat.of().parseHex(hex));
  }

  private static SecurityRefusal refusal() {
    return new SecurityRefusal(
        Code.SIGNATURE_REFUSED,
        "this is no signer: expected the 64 hexadecimal digits of an Ed25519 key");
  }
}
