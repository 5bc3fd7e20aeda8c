package io.gleaner.gateway;

import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.gateway.wire.Wire;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One blob on its way to the node: the thread that reads the content waits here while the window is
 * full. Guarded by its monitor.
 */
final class RemoteUpload implements RemoteTransfer {
  private final long transfer;
  private final ClientLink link;
  private final long patienceMillis;
  // Sent and not yet known to be read there; the last chunk stays until the outcome is known.
  private final Deque<Wire.BlobPut> unread = new ArrayDeque<>();
  private long sentBytes;
  private long readBytes;
  private Optional<String> digest = Optional.empty();
  private Optional<IOException> failure = Optional.empty();

  RemoteUpload(long transfer, ClientLink link, long patienceMillis) {
    this.transfer = transfer;
    this.link = link;
    this.patienceMillis = patienceMillis;
  }

  /** Sends the chunk, as soon as there is room for it. */
  synchronized void send(byte[] chunk, boolean last) throws IOException {
    awaitUntil(() -> unread.size() < Protocol.BLOB_WINDOW_CHUNKS);
    Wire.BlobPut put =
        Wire.BlobPut.newBuilder()
            .setTransfer(transfer)
            .setOffset(sentBytes)
            .setChunk(UnsafeByteOperations.unsafeWrap(chunk))
            .setLast(last)
            .build();
    sentBytes += chunk.length;
    unread.add(put);
    send(put);
  }

  synchronized String awaitDigest() throws IOException {
    awaitUntil(() -> digest.isPresent());
    return digest.orElseThrow();
  }

  @Override
  public synchronized void received(Wire.ServerFrame frame) {
    switch (frame.getBodyCase()) {
      case BLOB_RECEIVED -> {
        readBytes = Math.max(readBytes, frame.getBlobReceived().getBytes());
        while (!unread.isEmpty()
            && !unread.peek().getLast()
            && unread.peek().getOffset() + unread.peek().getChunk().size() <= readBytes) {
          unread.remove();
        }
      }
      case BLOB_STORED -> digest = Optional.of(frame.getBlobStored().getDigest());
      case BLOB_FAILED -> failure = Optional.of(failure(frame.getBlobFailed()));
      default -> {
        // Nothing else concerns an upload.
      }
    }
    notifyAll();
  }

  @Override
  public synchronized void resumed() {
    unread.forEach(this::send);
  }

  @Override
  public synchronized void replaced() {
    if (!unread.isEmpty() && unread.peek().getOffset() == 0) {
      resumed();
    } else {
      fail(new UploadForgotten());
    }
  }

  @Override
  public synchronized void fail(IOException why) {
    failure = Optional.of(why);
    notifyAll();
  }

  private void send(Wire.BlobPut put) {
    link.send(Frames.client().setBlobPut(put).build());
  }

  private IOException failure(Wire.BlobFailed failed) {
    if (failed.getCode() == Wire.BlobFailed.Code.TOO_LARGE) {
      return new BlobTooLarge(link.welcome().getLimits().getBlobBytes());
    }
    return failed.getCode() == Wire.BlobFailed.Code.QUOTA
        ? new BlobQuotaExceeded(failed.getMessage())
        : new IOException("the gateway did not take the blob: " + failed.getMessage());
  }

  private void awaitUntil(BooleanSupplier reached) throws IOException {
    long before = readBytes;
    long progressNanos = System.nanoTime();
    while (!reached.getAsBoolean() && failure.isEmpty()) {
      if (readBytes != before) {
        before = readBytes;
        progressNanos = System.nanoTime();
      }
      long idleMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - progressNanos);
      if (idleMillis >= patienceMillis) {
        throw new InterruptedIOException(
            "the gateway took no part of the blob for " + patienceMillis + " ms");
      }
      try {
        wait(patienceMillis - idleMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a blob was sent");
      }
    }
    if (failure.isPresent()) {
      throw RemoteTransfer.rethrown(failure.get());
    }
  }
}
