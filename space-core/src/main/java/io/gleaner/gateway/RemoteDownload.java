package io.gleaner.gateway;

import io.gleaner.gateway.wire.Wire;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/** One blob on its way from the node, as a stream. Read by one thread; guarded by its monitor. */
final class RemoteDownload extends InputStream implements RemoteTransfer {
  private final long transfer;
  private final String digest;
  private final ClientLink link;
  private final long patienceMillis;
  private final Runnable closed;
  private final Queue<byte[]> chunks = new ArrayDeque<>();
  private long receivedBytes;
  private boolean lastReceived;
  private Optional<IOException> failure = Optional.empty();
  private byte[] current = {};
  private int position;

  RemoteDownload(
      long transfer, String digest, ClientLink link, long patienceMillis, Runnable closed) {
    this.transfer = transfer;
    this.digest = digest;
    this.link = link;
    this.patienceMillis = patienceMillis;
    this.closed = closed;
  }

  /** Asks for what has not come yet. */
  synchronized void request() {
    if (!lastReceived) {
      link.send(
          Frames.client()
              .setBlobGet(
                  Wire.BlobGet.newBuilder()
                      .setTransfer(transfer)
                      .setDigest(digest)
                      .setOffset(receivedBytes))
              .build());
    }
  }

  /** Waits for the first chunk, so that a missing blob is told at once. */
  synchronized void awaitFirst() throws IOException {
    while (chunks.isEmpty() && !lastReceived) {
      await();
    }
  }

  @Override
  public synchronized void received(Wire.ServerFrame frame) {
    if (frame.hasBlobFailed()) {
      Wire.BlobFailed failed = frame.getBlobFailed();
      fail(
          failed.getCode() == Wire.BlobFailed.Code.NOT_FOUND
              ? new FileNotFoundException(failed.getMessage())
              : new IOException("the gateway could not send the blob: " + failed.getMessage()));
      return;
    }
    Wire.BlobChunk chunk = frame.getBlobChunk();
    if (chunk.getOffset() != receivedBytes || lastReceived) {
      credit(); // it came before, by a connection that broke
      return;
    }
    receivedBytes += chunk.getChunk().size();
    lastReceived = chunk.getLast();
    if (!chunk.getChunk().isEmpty()) {
      chunks.add(chunk.getChunk().toByteArray());
    }
    notifyAll();
  }

  @Override
  public synchronized void resumed() {
    request();
  }

  @Override
  public synchronized void replaced() {
    request();
  }

  @Override
  public synchronized void fail(IOException why) {
    failure = Optional.of(why);
    notifyAll();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (position == current.length) {
      byte[] next = chunks.poll();
      if (next != null) {
        current = next;
        position = 0;
        credit();
      } else if (lastReceived) {
        return -1;
      } else {
        await();
      }
    }
    int count = Math.min(length, current.length - position);
    System.arraycopy(current, position, bytes, offset, count);
    position += count;
    return count;
  }

  @Override
  public synchronized void close() {
    if (!lastReceived) {
      link.send(
          Frames.client()
              .setBlobCancel(Wire.BlobCancel.newBuilder().setTransfer(transfer))
              .build());
    }
    closed.run();
  }

  private void credit() {
    if (!lastReceived) {
      link.send(
          Frames.client()
              .setBlobCredit(Wire.BlobCredit.newBuilder().setTransfer(transfer).setChunks(1))
              .build());
    }
  }

  private void await() throws IOException {
    long begunNanos = System.nanoTime();
    long before = receivedBytes;
    while (failure.isEmpty() && receivedBytes == before && !lastReceived) {
      long waitedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
      if (waitedMillis >= patienceMillis) {
        throw new InterruptedIOException(
            "the gateway sent no part of the blob for " + patienceMillis + " ms");
      }
      try {
        wait(patienceMillis - waitedMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a blob was read");
      }
    }
    if (failure.isPresent()) {
      throw RemoteTransfer.rethrown(failure.get());
    }
  }
}
