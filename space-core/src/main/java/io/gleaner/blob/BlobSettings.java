package io.gleaner.blob;

import java.time.Duration;

/**
 * What a store of blobs allows.
 *
 * @param limitBytes the longest blob
 * @param quotaBytes all blobs of one user
 * @param pin how long a blob stays after an upload or a promise that it is there
 */
public record BlobSettings(long limitBytes, long quotaBytes, Duration pin) {
  private static final long GIBI = 1L << 30;

  public BlobSettings {
    if (limitBytes < 1 || quotaBytes < 1) {
      throw new IllegalArgumentException(
          "the limit of a blob store is "
              + limitBytes
              + " bytes and its quota "
              + quotaBytes
              + ", expected at least 1");
    }
    if (pin.toMillis() < 1) {
      throw new IllegalArgumentException("a pin lasts " + pin + ", expected more than 0");
    }
  }

  /** Blobs of 1 GiB, 64 GiB for each user, pinned for an hour. */
  public static BlobSettings standard() {
    return new BlobSettings(GIBI, 64 * GIBI, Duration.ofHours(1));
  }
}
