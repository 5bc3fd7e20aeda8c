package io.gleaner.rest;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Copies a stream into an answer at the pace of its reader. Blocks; never on the event loop. */
final class Download {
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final long MOST_SECONDS_PER_CHUNK = 20;

  private Download() {}

  /**
   * Copies all of it.
   *
   * @param bytes how many are expected, which the reader is told first
   * @throws IOException if the reader is gone or too slow, or the content is damaged
   */
  static void copy(InputStream in, long bytes, HttpServerResponse response) throws IOException {
    response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes));
    byte[] chunk = new byte[CHUNK_BYTES];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      await(response.write(Buffer.buffer().appendBytes(chunk, 0, read)));
    }
    await(response.end());
  }

  /** Bytes written to it go to the answer; neither flushing nor closing it ends the answer. */
  static OutputStream into(HttpServerResponse response) {
    return new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        await(response.write(Buffer.buffer().appendBytes(bytes, from, length)));
      }
    };
  }

  /** Ends the answer in order. */
  static void end(HttpServerResponse response) throws IOException {
    await(response.end());
  }

  private static void await(Future<Void> written) throws IOException {
    try {
      written
          .toCompletionStage()
          .toCompletableFuture()
          .get(MOST_SECONDS_PER_CHUNK, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the download was interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException("the reader is gone", e);
    } catch (TimeoutException e) {
      throw new IOException(
          "the reader took no bytes for " + MOST_SECONDS_PER_CHUNK + " seconds", e);
    }
  }
}
