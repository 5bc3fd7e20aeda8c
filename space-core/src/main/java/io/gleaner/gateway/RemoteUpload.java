package io.gleaner.gateway;

import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.gateway.wire.Wire;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * One blob on its way to the node: the thread that reads the content waits here while the window is
 * full, and while the node is too busy to begin with it. Guarded by its monitor.
 */
final class RemoteUpload implements RemoteTransfer {
  private static final long SHORTEST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  /** Hands out the number of another transfer, whose frames come here from now on. */
  private final ToLongFunction<RemoteUpload> again;

  private long transfer;
  private final ClientLink link;
  private final long patienceMillis;
  // Sent and not yet known to be read there; the last chunk stays until the outcome is known.
  private final Deque<Wire.BlobPut> unread = new ArrayDeque<>();
  private long sentBytes;
  private long readBytes;
  private Optional<String> digest = Optional.empty();
  private Optional<IOException> failure = Optional.empty();

  /** The node did not begin with it; tried again when the pause is over. */
  private Optional<IOException> busy = Optional.empty();

  private long busyNanos;
  private long pauseMillis = SHORTEST_PAUSE_MILLIS;

  RemoteUpload(ToLongFunction<RemoteUpload> again, ClientLink link, long patienceMillis) {
    this.again = again;
    this.link = link;
    this.patienceMillis = patienceMillis;
  }

  synchronized void begin() {
    transfer = again.applyAsLong(this);
  }

  synchronized long transfer() {
    return transfer;
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
    if (busy.isEmpty()) {
      send(put);
    }
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
      case BLOB_FAILED -> failed(frame.getBlobFailed());
      default -> {
        // Nothing else concerns an upload.
      }
    }
    notifyAll();
  }

  /** Each chunk of a transfer that was not begun with is answered so, the first one counts. */
  private void failed(Wire.BlobFailed failed) {
    boolean isWhole = !unread.isEmpty() && unread.peek().getOffset() == 0;
    if (failed.getCode() != Wire.BlobFailed.Code.BUSY || !isWhole) {
      failure = Optional.of(failure(failed));
    } else if (failed.getTransfer() == transfer && busy.isEmpty()) {
      busy = Optional.of(failure(failed));
      busyNanos = System.nanoTime();
    }
  }

  private void tryAgain() {
    busy = Optional.empty();
    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    begin();
    List<Wire.BlobPut> chunks = List.copyOf(unread);
    unread.clear();
    chunks.forEach(chunk -> unread.add(chunk.toBuilder().setTransfer(transfer).build()));
    resumed();
  }

  @Override
  public synchronized void resumed() {
    if (busy.isEmpty()) {
      unread.forEach(this::send);
    }
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
        if (busy.isPresent()) {
          throw RemoteTransfer.rethrown(busy.get());
        }
        throw new InterruptedIOException(
            "the gateway took no part of the blob for " + patienceMillis + " ms");
      }
      long waitMillis = patienceMillis - idleMillis;
      if (busy.isPresent()) {
        long pause = pauseMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - busyNanos);
        if (pause <= 0) {
          tryAgain();
          continue;
        }
        waitMillis = Math.min(waitMillis, pause);
      }
      try {
        wait(waitMillis);
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
