package io.gleaner.rest;

import io.gleaner.bag.Bags;
import io.gleaner.blob.BlobStore;
import io.vertx.core.http.HttpServerResponse;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * All outputs of a bag in one ZIP file, made while it is sent. Blocks; never on the event loop.
 *
 * <p>An archive that breaks off is not ended in order, so that its reader notices.
 */
final class OutputArchive {
  private static final int BATCH = 1000;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Bags bags;
  private final BlobStore blobs;

  OutputArchive(Bags bags, BlobStore blobs) {
    this.bags = bags;
    this.blobs = blobs;
  }

  /**
   * Sends the outputs that are there now.
   *
   * @throws IOException if the reader is gone or too slow, or an output is damaged
   */
  @SuppressWarnings("resource") // Closing it would end a broken archive as if it were whole.
  void send(String jobId, HttpServerResponse response) throws IOException {
    response.setChunked(true);
    ZipOutputStream zip =
        new ZipOutputStream(new BufferedOutputStream(Download.into(response), BUFFER_BYTES));
    zip.setLevel(Deflater.BEST_SPEED);
    int after = -1;
    List<Bags.TaskOutcome> batch;
    do {
      batch = bags.outcomes(jobId, after, BATCH);
      for (Bags.TaskOutcome task : batch) {
        after = task.taskIndex();
        if (task.outputDigest().isPresent()) {
          add(zip, task.taskIndex(), task.outputDigest().get());
        }
      }
    } while (batch.size() == BATCH);
    zip.finish();
    zip.flush();
    Download.end(response);
  }

  private void add(ZipOutputStream zip, int task, String digest) throws IOException {
    try (InputStream in = new BufferedInputStream(blobs.open(digest))) {
      String ending = PngSignature.startsOf(in) ? ".png" : "";
      zip.putNextEntry(new ZipEntry("task-%06d%s".formatted(task, ending)));
      in.transferTo(zip);
      zip.closeEntry();
    }
  }
}
