package io.gleaner.blob;

import java.io.IOException;

/** A blob longer than the store takes. */
public final class BlobTooLarge extends IOException {
  private static final long serialVersionUID = 1L;

  public BlobTooLarge(long limitBytes) {
    super(
        "the content is longer than "
            + limitBytes
            + " bytes, the limit of this store; split it or ask the operator to raise the limit");
  }

  /** Refuses what is longer. */
  static void check(long bytes, long limitBytes) throws BlobTooLarge {
    if (bytes > limitBytes) {
      throw new BlobTooLarge(limitBytes);
    }
  }
}
