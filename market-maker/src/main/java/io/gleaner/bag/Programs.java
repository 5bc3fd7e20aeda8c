package io.gleaner.bag;

import io.gleaner.blob.BlobStore;
import io.gleaner.description.BagDescription;
import io.gleaner.description.ProgramManifest;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.Digests;
import io.gleaner.signing.SignedManifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/**
 * The signed manifest of a bag's program: its submitter's if it was handed in beside the program,
 * else one that the node signs for the user it knows. Safe for all threads.
 */
final class Programs {
  private static final int NAME_DIGITS = 32;

  private final SpaceSigners signers;

  Programs(SpaceSigners signers) {
    this.signers = signers;
  }

  /**
   * @param files by name, as digests of their blobs
   * @throws BagException if what was handed in is no manifest of this program, or nobody vouches
   *     for its signer
   */
  SignedManifest of(BagDescription bag, Map<String, String> files, BlobStore blobs) {
    String beside = bag.bundle() + SignedManifest.SUFFIX;
    String digest = files.get(bag.bundle());
    try {
      if (!files.containsKey(beside)) {
        requireNodeVouchedFor();
        return signers.node().sign(ofNode(bag, digest, length(blobs, digest)));
      }
      SignedManifest signed = SignedManifest.decode(bytes(blobs, files.get(beside)));
      Optional<String> other =
          signed.manifest().isNotOf(ProgramManifest.kind(bag), bag.entryPoint(), digest);
      if (other.isPresent()) {
        throw refusal(beside, other.get());
      }
      if (signers.isRevoked(signed.digest())) {
        throw refusal(beside, "this signed program was revoked");
      }
      if (!signers.vouchesFor(signed.signer())) {
        throw refusal(
            beside,
            "nobody vouches for its signer "
                + signed.signer()
                + ", or it was revoked; add it with 'gleaner signers add'");
      }
      return signed;
    } catch (SecurityRefusal e) {
      throw refusal(beside, e.getMessage());
    } catch (IOException e) {
      throw new BagException(
          BagException.Code.UNAVAILABLE, "the blob store does not answer; try again", e);
    }
  }

  private void requireNodeVouchedFor() {
    if (!signers.vouchesFor(signers.node().signer())) {
      throw new BagException(
          BagException.Code.UNAVAILABLE,
          "the key with which this node signs programs was revoked; sign yours with 'gleaner sign',"
              + " or let the operator start the node anew, which makes another key");
    }
  }

  /** Its name says all of it, so that no two programs are versions of one. */
  private static BundleManifest ofNode(BagDescription bag, String digest, long bytes) {
    BundleManifest unnamed = ProgramManifest.of(bag, "program", 1, digest, bytes);
    String name = "by-node-" + Digests.sha256Hex(unnamed.encode()).substring(0, NAME_DIGITS);
    return ProgramManifest.of(bag, name, 1, digest, bytes);
  }

  private static long length(BlobStore blobs, String digest) throws IOException {
    try (InputStream in = blobs.open(digest)) {
      return in.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static byte[] bytes(BlobStore blobs, String digest) throws IOException {
    try (InputStream in = blobs.open(digest)) {
      return in.readNBytes(BundleManifest.LARGEST_BYTES + 1);
    }
  }

  private static BagException refusal(String file, String why) {
    return new BagException(BagException.Code.INVALID_DESCRIPTION, file + ": " + why);
  }
}
