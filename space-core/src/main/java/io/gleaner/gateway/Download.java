package io.gleaner.gateway;

import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.blob.BlobStore;
import io.gleaner.gateway.wire.Wire;
import io.vertx.core.WorkerExecutor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * One blob on its way to a client, a chunk for each credit. Reads happen on a worker, one at a
 * time; guarded by its monitor.
 */
final class Download {
  private final Wire.BlobGet request;
  private final BlobStore store;
  private final WorkerExecutor readers;
  private final Consumer<Message> send;
  private final Consumer<Download> finished;
  private InputStream content = InputStream.nullInputStream();
  private boolean opened;
  private boolean reading;
  private boolean closed;
  private long offset;
  private int credit = Protocol.BLOB_WINDOW_CHUNKS;
  private int idleSweeps;

  Download(
      Wire.BlobGet request,
      BlobStore store,
      WorkerExecutor readers,
      Consumer<Message> send,
      Consumer<Download> finished) {
    this.request = request;
    this.store = store;
    this.readers = readers;
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
      readers
          .executeBlocking(
              () -> {
                readOne();
                return null;
              },
              false)
          .onFailure(e -> fail(Wire.BlobFailed.Code.BUSY, "the gateway is closing"));
    }
  }

  /** Counts a sweep and says how many passed since something happened. */
  synchronized int idleSweeps() {
    return ++idleSweeps;
  }

  synchronized void close() {
    closed = true;
    try {
      content.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(Download.class).debug("closing a blob: {}", e.getMessage());
    }
  }

  private synchronized void readOne() {
    reading = false;
    if (closed) {
      return;
    }
    try {
      if (!opened) {
        content = store.open(request.getDigest());
        opened = true;
        content.skipNBytes(offset);
      }
      byte[] chunk = content.readNBytes(Protocol.BLOB_CHUNK_BYTES);
      boolean last = chunk.length < Protocol.BLOB_CHUNK_BYTES;
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
      if (last) {
        close();
        finished.accept(this);
      } else {
        pump();
      }
    } catch (FileNotFoundException e) {
      fail(Wire.BlobFailed.Code.NOT_FOUND, e.getMessage());
    } catch (IOException e) {
      fail(Wire.BlobFailed.Code.IO, String.valueOf(e.getMessage()));
    }
  }

  private void fail(Wire.BlobFailed.Code code, String message) {
    close();
    finished.accept(this);
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
