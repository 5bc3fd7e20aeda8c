package io.gleaner.pages;

import io.gleaner.bag.Bags;
import io.gleaner.blob.BlobStore;
import io.gleaner.limits.Recent;
import io.gleaner.rest.PngSignature;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells which outputs are pictures. Blocks; safe for all threads, guarded by its monitor. */
final class Pictures {
  private static final Logger LOG = LoggerFactory.getLogger(Pictures.class);
  private static final int REMEMBERED = 10_000;
  private static final long LARGEST_BYTES = 4L * 1024 * 1024;

  private final BlobStore blobs;
  private final Map<String, Boolean> byDigest = new Recent<>(REMEMBERED);

  Pictures(BlobStore blobs) {
    this.blobs = blobs;
  }

  /** Whether the task's output is a PNG that is small enough for a preview. */
  boolean isPicture(Bags.TaskOutcome task) {
    if (task.outputDigest().isEmpty() || task.outputBytes() > LARGEST_BYTES) {
      return false;
    }
    String digest = task.outputDigest().get();
    synchronized (this) {
      Boolean known = byDigest.get(digest);
      if (known != null) {
        return known;
      }
    }
    boolean picture = look(digest);
    synchronized (this) {
      byDigest.put(digest, picture);
    }
    return picture;
  }

  private boolean look(String digest) {
    try (InputStream in = new BufferedInputStream(blobs.open(digest))) {
      return PngSignature.startsOf(in);
    } catch (IOException e) {
      LOG.warn("output {} cannot be read for its preview", digest, e);
      return false;
    }
  }
}
