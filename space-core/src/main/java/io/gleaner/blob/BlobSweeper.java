package io.gleaner.blob;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects blobs again and again, on a thread of its own. */
public final class BlobSweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlobSweeper.class);
  private static final long STOP_SECONDS = 5;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "gleaner-blob-sweeper");
            made.setDaemon(true);
            return made;
          });

  private BlobSweeper() {}

  /**
   * Begins.
   *
   * @param uses all who refer to blobs
   * @param every how long to wait from one sweep to the next
   */
  public static BlobSweeper start(KeptBlobs blobs, List<BlobUse> uses, Duration every) {
    BlobSweeper sweeper = new BlobSweeper();
    var unused =
        sweeper.thread.scheduleWithFixedDelay(
            () -> sweep(blobs, uses), every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    return sweeper;
  }

  private static void sweep(KeptBlobs blobs, List<BlobUse> uses) {
    try {
      int removed = blobs.collect(uses);
      if (removed > 0) {
        LOG.info("{} blobs that nobody uses are removed", removed);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("blobs were not collected; the next sweep tries again", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the collection of blobs did not stop in {} s", STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
