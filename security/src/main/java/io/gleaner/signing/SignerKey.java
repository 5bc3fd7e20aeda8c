package io.gleaner.signing;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/** The key with which somebody signs bundles or checkpoints, in a file that only they can read. */
public final class SignerKey {
  private static final String FORM = "gleaner-signer-";

  private final Ed25519PrivateKeyParameters key;

  private SignerKey(Ed25519PrivateKeyParameters key) {
    this.key = key;
  }

  /**
   * Makes a key and keeps it.
   *
   * @throws SecurityRefusal if the file is there already
   */
  public static SignerKey create(Path file) {
    if (Files.exists(file)) {
      throw new SecurityRefusal(
          Code.INVALID, "there is a file " + file + " already; a key is not written over");
    }
    return replace(file);
  }

  /** Makes a key and keeps it in the place of the one in that file. */
  public static SignerKey replace(Path file) {
    var key = new Ed25519PrivateKeyParameters(new SecureRandom());
    SecretFile.write(file, Secret.of(FORM + Digests.hex(key.getEncoded())));
    return new SignerKey(key);
  }

  /**
   * Reads a key.
   *
   * @throws SecurityRefusal if others can read the file, or it holds none
   */
  public static SignerKey read(Path file) {
    String text = SecretFile.read(file).reveal();
    if (!text.startsWith(FORM) || !Digests.isSha256Hex(text.substring(FORM.length()))) {
      throw new SecurityRefusal(Code.INVALID, "there is no key of a signer in " + file);
    }
    byte[] seed = HexFormat.of().parseHex(text.substring(FORM.length()));
    return new SignerKey(new Ed25519PrivateKeyParameters(seed));
  }

  /** Reads the key in a file, or makes one there. */
  public static SignerKey readOrCreate(Path file) {
    return Files.exists(file) ? read(file) : create(file);
  }

  /** Its public half, to be named to those who shall trust it. */
  public Signer signer() {
    return new Signer(Digests.hex(key.generatePublicKey().getEncoded()));
  }

  public SignedManifest sign(BundleManifest manifest) {
    return new SignedManifest(manifest, signer(), sign(manifest.encode()));
  }

  /** The signature of a message whose first line says what it is; 128 hexadecimal digits. */
  public String sign(byte[] message) {
    Ed25519Signer signing = new Ed25519Signer();
    signing.init(true, key);
    signing.update(message, 0, message.length);
    return Digests.hex(signing.generateSignature());
  }
}
