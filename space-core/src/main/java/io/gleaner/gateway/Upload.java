package io.gleaner.gateway;

import io.gleaner.blob.BlobTooLarge;
import io.gleaner.gateway.wire.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The chunks of one blob between the connection that brings them and the thread that stores them: a
 * stream whose reader waits. {@link #offer} is called by one thread at a time, the stream is read
 * by another.
 */
final class Upload extends InputStream {
  private static final byte[] END = {};

  // The window, and the mark of the end.
  private final BlockingQueue<byte[]> chunks =
      new ArrayBlockingQueue<>(Protocol.BLOB_WINDOW_CHUNKS + 1);
  private final long limitBytes;
  private final long patienceMillis;
  private final LongConsumer consumed;
  private long offeredBytes;
  private boolean complete;
  private volatile boolean cancelled;

  private byte[] current = {};
  private int position;
  private volatile long consumedBytes; // written by the reader only
  private boolean atEnd;

  /**
   * An empty stream.
   *
   * @param consumed told how many bytes were read, after each chunk
   */
  Upload(long limitBytes, long patienceMillis, LongConsumer consumed) {
    this.limitBytes = limitBytes;
    this.patienceMillis = patienceMillis;
    this.consumed = consumed;
  }

  /** Takes the next chunk; one that came before is left out, as it came again after a resume. */
  synchronized void offer(Wire.BlobPut put) throws MalformedFrame {
    byte[] chunk = put.getChunk().toByteArray();
    Protocol.require(
        chunk.length <= Protocol.BLOB_CHUNK_BYTES,
        "a chunk of " + chunk.length + " bytes, at most " + Protocol.BLOB_CHUNK_BYTES);
    if (complete || put.getOffset() < offeredBytes) {
      consumed.accept(consumedBytes); // what told it before may have been lost with a connection
      return;
    }
    Protocol.require(
        put.getOffset() == offeredBytes,
        "a chunk at " + put.getOffset() + " where " + offeredBytes + " was expected");
    Protocol.require(chunk.length > 0 || put.getLast(), "an empty chunk before the end");
    boolean room = chunk.length == 0 || chunks.offer(chunk);
    if (put.getLast()) {
      room &= chunks.offer(END);
      complete = true;
    }
    Protocol.require(room || cancelled, "more chunks than the window of this transfer allows");
    offeredBytes += chunk.length;
  }

  /** Makes the reader fail. */
  void cancel() {
    cancelled = true;
    chunks.clear();
    boolean unused = chunks.offer(END);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (position == current.length && !fetch()) {
      return -1;
    }
    int count = Math.min(length, current.length - position);
    System.arraycopy(current, position, bytes, offset, count);
    position += count;
    return count;
  }

  private boolean fetch() throws IOException {
    if (atEnd) {
      return false;
    }
    if (current.length > 0) {
      long now = consumedBytes + current.length;
      consumedBytes = now;
      consumed.accept(now);
    }
    try {
      byte[] next = chunks.poll(patienceMillis, TimeUnit.MILLISECONDS);
      if (cancelled) {
        throw new IOException("the transfer was given up");
      }
      if (next == null) {
        throw new IOException("no more bytes came within " + patienceMillis + " ms");
      }
      atEnd = next == END;
      current = next;
      position = 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the gateway is closing", e);
    }
    if (consumedBytes + current.length > limitBytes) {
      throw new BlobTooLarge(limitBytes);
    }
    return !atEnd;
  }
}
