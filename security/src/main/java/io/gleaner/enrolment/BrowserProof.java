package io.gleaner.enrolment;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Signatures;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;

/**
 * What a browser signs to show that it has a key: here, now, to this pool and for this only.
 *
 * @param pool fingerprint of the pool's authority, 64 hexadecimal digits
 * @param origin of the page (RFC 6454), as the browser names it
 * @param channel path of the WebSocket
 * @param nonce that the node gave to this WebSocket alone
 * @param subject on what it stands: a certificate's serial number, or the SHA-256 of a join token
 *     or of what proves that a page of the console asks
 */
public record BrowserProof(
    String pool, String origin, String channel, String nonce, String subject) {
  /** Two numbers of the length of the curve's order, as WebCrypto writes signatures. */
  private static final int SIGNATURE_BYTES = 64;

  /** The one text of it: no part can hold a line's end. */
  public byte[] encode() {
    String text =
        "gleaner-browser: 1\npool: "
            + pool
            + "\norigin: "
            + origin
            + "\nchannel: "
            + channel
            + "\nnonce: "
            + nonce
            + "\nsubject: "
            + subject
            + "\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Checks a signature.
   *
   * @param signature ECDSA with SHA-256, as two numbers of 32 bytes
   * @throws SecurityRefusal if it is not that of the key over exactly this
   */
  public void require(PublicKey key, byte[] signature) {
    if (signature.length != SIGNATURE_BYTES
        || !Signatures.verifies(key, encode(), der(signature))) {
      throw new SecurityRefusal(
          Code.SIGNATURE_REFUSED,
          "the signature is not that of the browser's key over this nonce, origin and channel");
    }
  }

  private static byte[] der(byte[] signature) {
    ASN1EncodableVector numbers = new ASN1EncodableVector();
    int half = SIGNATURE_BYTES / 2;
    numbers.add(new ASN1Integer(new BigInteger(1, Arrays.copyOfRange(signature, 0, half))));
    numbers.add(
        new ASN1Integer(new BigInteger(1, Arrays.copyOfRange(signature, half, SIGNATURE_BYTES))));
    try {
      return new DERSequence(numbers).getEncoded();
    } catch (IOException e) {
      throw new AssertionError("two numbers are always encoded", e);
    }
  }
}
