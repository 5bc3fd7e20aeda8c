package io.gleaner.description;

import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.BundleManifest.Kind;
import java.util.List;

/** The manifest of a bag's program, to be signed. Pure. */
public final class ProgramManifest {
  private ProgramManifest() {}

  /**
   * @param name of the program among those of its signer
   * @param version from 1 up
   * @param sha256 of the program, in hexadecimal digits
   * @param bytes its length
   */
  public static BundleManifest of(
      BagDescription bag, String name, long version, String sha256, long bytes) {
    return new BundleManifest(
        name,
        version,
        kind(bag),
        bag.entryPoint(),
        new BundleManifest.Needs((long) bag.memoryMegabytes() << 20, bag.limits().diskBytes(), 1),
        List.of(new BundleManifest.Part(BundleManifest.PROGRAM, bytes, sha256)));
  }

  /** How the program runs. */
  public static Kind kind(BagDescription bag) {
    return Kind.valueOf(bag.kind().name());
  }
}
