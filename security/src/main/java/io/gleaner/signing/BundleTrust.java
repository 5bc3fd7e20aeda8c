package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whose bundles the owner of a machine lets run, asked before anything of a bundle is loaded.
 *
 * @param named signers whom the owner named, for every kind
 * @param member whether a signer belongs to the pool; the owner may trust none of them
 * @param wasmOfAnybody whether WebAssembly runs whoever signed it
 * @param revoked whether a signer ({@link Signer#hex}) or a signed manifest ({@link
 *     SignedManifest#digest}) was revoked
 */
public record BundleTrust(
    Set<Signer> named, Predicate<Signer> member, boolean wasmOfAnybody, Predicate<String> revoked) {

  public BundleTrust {
    named = Set.copyOf(named);
  }

  /**
   * Decides about a bundle; its version is remembered if it may run.
   *
   * @throws SecurityRefusal with the reason if it may not
   */
  public void require(SignedManifest signed, SeenBundles seen) {
    Signer signer = signed.signer();
    if (revoked.test(signer.hex()) || revoked.test(signed.digest())) {
      throw refusal(signed, "the bundle or its signer " + signer + " was revoked");
    }
    boolean trusted =
        named.contains(signer)
            || member.test(signer)
            || (wasmOfAnybody && signed.manifest().kind() == BundleManifest.Kind.WASM);
    if (!trusted) {
      throw refusal(
          signed,
          "the owner of this machine does not trust its signer "
              + signer
              + " with the kind "
              + signed.manifest().kind().text());
    }
    seen.require(signed);
  }

  /**
   * Checks a part that was fetched, before it is loaded.
   *
   * @param file its bytes, where nobody else can change them
   * @throws SecurityRefusal if the manifest has no such part, or its bytes are others
   */
  public static void requirePart(SignedManifest signed, String path, Path file) {
    BundleManifest.Part part =
        signed
            .manifest()
            .part(path)
            .orElseThrow(() -> refusal(signed, "its manifest names no part " + path));
    try {
      if (Files.size(file) != part.bytes() || !Digests.sha256Hex(file).equals(part.sha256())) {
        throw refusal(signed, "its part " + path + " is not what the manifest names");
      }
    } catch (IOException e) {
      throw new SecurityRefusal(
          Code.SIGNATURE_REFUSED, "the part " + path + " of a bundle cannot be read", e);
    }
  }

  static SecurityRefusal refusal(SignedManifest signed, String why) {
    BundleManifest manifest = signed.manifest();
    return new SecurityRefusal(
        Code.SIGNATURE_REFUSED,
        "the bundle " + manifest.name() + " version " + manifest.version() + " is refused: " + why);
  }
}
