package io.gleaner.blob;

import java.io.IOException;

/** A blob for which its user has no room left. */
public final class BlobQuotaExceeded extends IOException {
  private static final long serialVersionUID = 1L;

  public BlobQuotaExceeded(String user, long usedBytes, long quotaBytes) {
    this(
        "the blobs of "
            + user
            + " have "
            + usedBytes
            + " bytes and this one would go beyond the quota of "
            + quotaBytes
            + " bytes; what no entry and no bag names goes by itself after a while, or ask the"
            + " operator for a larger quota");
  }

  /** As another end of a connection put it. */
  public BlobQuotaExceeded(String message) {
    super(message);
  }
}
