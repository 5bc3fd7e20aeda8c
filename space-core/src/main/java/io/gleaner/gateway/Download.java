package io.gleaner.gateway;

import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.blob.BlobStore;
import io.gleaner.gateway.wire.Wire;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * One blob on its way to a client, a chunk for each credit. Reads happen in turns on a worker, one
 * at a time; what is not of the turn is guarded by its monitor.
 */
final class Download {
  /** In one turn. */
  private static final long SKIP_BYTES = 16L * Protocol.BLOB_CHUNK_BYTES;

  private final Wire.BlobGet request;
  private final BlobStore store;
  private final Consumer<Runnable> turns;
  private final Consumer<Message> send;
  private final Consumer<Download> finished;
  private InputStream content = InputStream.nullInputStream();
  private boolean opened;
  private long skippedBytes;
  private boolean reading;
  private boolean closed;
  private long offset;
  private int credit = Protocol.BLOB_WINDOW_CHUNKS;
  private int idleSweeps;

  Download(
      Wire.BlobGet request,
      BlobStore store,
      Consumer<Runnable> turns,
      Consumer<Message> send,
      Consumer<Download> finished) {
    this.request = request;
    this.store = store;
    this.turns = turns;
    this.send = send;
    this.finished = finished;
    this.offset = request.getOffset();
  }

  /** Allows more chunks to be sent. */
  synchronized void credit(int chunks) throws MalformedFrame {
    // A client that came back may give credit for what the broken connection had brought, too.
    Protocol.require(chunks > 0 && chunks <= Protocol.BLOB_WINDOW_CHUNKS, "a credit out of range");
    credit = Math.min(Protocol.BLOB_WINDOW_CHUNKS, credit + chunks);
    idleSweeps = 0;
    pump();
  }

  synchronized void pump() {
    if (!reading && !closed && credit > 0) {
      reading = true;
      turns.accept(this::turn);
    }
  }

  /** Counts a sweep and says how many passed since something happened. */
  synchronized int idleSweeps() {
    return ++idleSweeps;
  }

  synchronized void close() {
    if (!closed) {
      closed = true;
      if (!reading) {
        end();
      }
    }
  }

  private void turn() {
    if (!isClosed()) {
      try {
        step();
      } catch (FileNotFoundException e) {
        fail(Wire.BlobFailed.Code.NOT_FOUND, e.getMessage());
      } catch (IOException | RuntimeException e) {
        fail(Wire.BlobFailed.Code.IO, String.valueOf(e.getMessage()));
      }
    }
    synchronized (this) {
      reading = false;
      if (closed) {
        end();
      } else {
        pump();
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Reads without the monitor, so that whoever closes or gives credit never waits for a disk. */
  private void step() throws IOException {
    if (!opened) {
      content = store.open(request.getDigest());
      opened = true;
    }
    if (skippedBytes < request.getOffset()) {
      long skip = Math.min(SKIP_BYTES, request.getOffset() - skippedBytes);
      content.skipNBytes(skip);
      skippedBytes += skip;
      return;
    }
    byte[] chunk = content.readNBytes(Protocol.BLOB_CHUNK_BYTES);
    boolean last = chunk.length < Protocol.BLOB_CHUNK_BYTES;
    synchronized (this) {
      if (closed) {
        return;
      }
      send.accept(
          Frames.server()
              .setBlobChunk(
                  Wire.BlobChunk.newBuilder()
                      .setTransfer(request.getTransfer())
                      .setOffset(offset)
                      .setChunk(UnsafeByteOperations.unsafeWrap(chunk))
                      .setLast(last))
              .build());
      offset += chunk.length;
      credit--;
      idleSweeps = 0;
      closed = last;
    }
  }

  private void end() {
    try {
      content.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(Download.class).debug("closing a blob: {}", e.getMessage());
    }
    finished.accept(this);
  }

  private synchronized void fail(Wire.BlobFailed.Code code, String message) {
    if (closed) {
      return;
    }
    closed = true;
    send.accept(
        Frames.server()
            .setBlobFailed(
                Wire.BlobFailed.newBuilder()
                    .setTransfer(request.getTransfer())
                    .setCode(code)
                    .setMessage(message))
            .build());
  }
}
