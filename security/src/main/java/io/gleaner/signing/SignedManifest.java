package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A manifest with a signature that is its signer's: there is none with a wrong one. Whether the
 * signer is trusted is another question ({@link BundleTrust}).
 *
 * @param signature 64 bytes in hexadecimal digits
 */
public record SignedManifest(BundleManifest manifest, Signer signer, String signature) {

  /** Its file lies beside what it signs and has the same name with this at the end. */
  public static final String SUFFIX = ".signed";

  public SignedManifest {
    if (!signer.verifies(manifest.encode(), signature)) {
      throw new SecurityRefusal(
          Code.SIGNATURE_REFUSED,
          BundleManifest.WHAT
              + " is refused: its signature is not that of "
              + signer
              + " over this text");
    }
  }

  /** The text of the manifest, then two lines with signer and signature. */
  public byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(manifest.encode());
    String end = "signer: " + signer.hex() + "\nsignature: " + signature + "\n";
    out.writeBytes(end.getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  /** The name under which it is stored, and revoked. */
  public String digest() {
    return Digests.sha256Hex(encode());
  }

  /**
   * Reads a signed manifest of up to {@link BundleManifest#LARGEST_BYTES} and checks the signature.
   *
   * @throws SecurityRefusal if it is unsigned, tampered with, or not written as {@link #encode}
   *     does
   */
  public static SignedManifest decode(byte[] bytes) {
    Lines lines = new Lines(BundleManifest.WHAT, bytes, BundleManifest.LARGEST_BYTES);
    BundleManifest manifest = BundleManifest.read(lines);
    if (!lines.hasNext("signer")) {
      throw lines.refusal("it is not signed");
    }
    Signer signer = new Signer(lines.value("signer"));
    SignedManifest signed = new SignedManifest(manifest, signer, lines.value("signature"));
    lines.requireEnd();
    if (!Arrays.equals(signed.encode(), bytes)) {
      throw lines.refusal("its lines are not in their order");
    }
    return signed;
  }
}
