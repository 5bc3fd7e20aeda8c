package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.charset.StandardCharsets;

/**
 * What the holder of a key signs so that a pool takes the key as a user's: whose key it is to be,
 * and where. Worth nothing for another user, in another pool, or for another key.
 *
 * @param pool the fingerprint of an authority of the pool, 64 hexadecimal digits
 * @param user printable characters
 */
public record SignerProof(String pool, String user, Signer signer) {

  public SignerProof {
    if (!Digests.isSha256Hex(pool) || !user.matches("[!-~]{1,64}")) {
      throw new SecurityRefusal(
          Code.INVALID,
          "a key is proved to a pool, named by 64 hexadecimal digits, and for one user of it");
    }
  }

  /** The one text of this proof. */
  public byte[] encode() {
    String text =
        "gleaner-signer-proof: 1\npool: "
            + pool
            + "\nuser: "
            + user
            + "\nsigner: "
            + signer.hex()
            + "\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The proof that the holder of a key gives; 128 hexadecimal digits. */
  public static String make(String pool, String user, SignerKey key) {
    return key.sign(new SignerProof(pool, user, key.signer()).encode());
  }

  /** Whether the key signed this. */
  public boolean isProvedBy(String signature) {
    return signer.verifies(encode(), signature);
  }
}
