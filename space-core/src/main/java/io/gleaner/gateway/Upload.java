package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.blob.Incoming;
import io.gleaner.gateway.wire.Wire;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * One blob on its way from a client. Each chunk is written in a turn of its own, one at a time; no
 * thread waits for the next. Safe for all threads.
 */
final class Upload {

  /** Where the content goes; called on a thread that may wait. */
  @FunctionalInterface
  interface Store {
    Incoming begin() throws IOException;
  }

  /** Who is told how it goes. */
  record Told(LongConsumer written, IntConsumer given, Consumer<String> stored, Trouble failed) {}

  /** Told why an upload has failed. */
  @FunctionalInterface
  interface Trouble {
    void failed(Exception why);
  }

  private final long limitBytes;
  private final Store store;
  private final Consumer<Runnable> turns;
  private final Told told;

  /** Came and were not written yet, the one that is being written first. */
  @GuardedBy("this")
  private final Queue<byte[]> chunks = new ArrayDeque<>();

  @GuardedBy("this")
  private long offeredBytes;

  @GuardedBy("this")
  private boolean complete;

  @GuardedBy("this")
  private boolean writing;

  @GuardedBy("this")
  private int idleSweeps;

  @GuardedBy("this")
  private Optional<IOException> stopped = Optional.empty();

  private Optional<Incoming> incoming = Optional.empty(); // of the turn
  private volatile long writtenBytes; // written in turns only
  private volatile boolean over;

  Upload(long limitBytes, Store store, Consumer<Runnable> turns, Told told) {
    this.limitBytes = limitBytes;
    this.store = store;
    this.turns = turns;
    this.told = told;
  }

  /**
   * Takes the next chunk; one that came before is left out, as it came again after a resume.
   *
   * @return whether it is kept until it is given back
   */
  synchronized boolean offer(Wire.BlobPut put) throws MalformedFrame {
    int length = put.getChunk().size();
    idleSweeps = 0;
    if (complete || stopped.isPresent() || over || put.getOffset() < offeredBytes) {
      told.written.accept(writtenBytes); // what told it before may have been lost
      return false;
    }
    Protocol.require(
        put.getOffset() == offeredBytes,
        "a chunk at " + put.getOffset() + " where " + offeredBytes + " was expected");
    Protocol.require(
        length == Protocol.BLOB_CHUNK_BYTES || put.getLast(),
        "a chunk of " + length + " bytes before the end, not " + Protocol.BLOB_CHUNK_BYTES);
    Protocol.require(
        chunks.size() < Protocol.BLOB_WINDOW_CHUNKS,
        "more chunks than the window of this transfer allows");
    chunks.add(put.getChunk().toByteArray());
    offeredBytes += length;
    complete = put.getLast();
    turn();
    return true;
  }

  /** Ends it without a blob, for that reason. */
  synchronized void stop(IOException why) {
    if (stopped.isEmpty()) {
      stopped = Optional.of(why);
      turn();
    }
  }

  /** Counts a sweep and says how many passed while nothing came. */
  synchronized int idleSweeps() {
    return chunks.isEmpty() ? ++idleSweeps : 0;
  }

  private synchronized void turn() {
    if (!writing && !over && (stopped.isPresent() || !chunks.isEmpty())) {
      writing = true;
      turns.accept(this::write);
    }
  }

  private void write() {
    try {
      Optional<String> digest = writeNext();
      if (digest.isPresent()) {
        end();
        told.stored.accept(digest.get());
      }
    } catch (IOException | RuntimeException e) {
      end();
      told.failed.failed(e);
    } catch (Error e) {
      end();
      told.failed.failed(new IOException("the node failed at it: " + e, e));
      throw e;
    } finally {
      synchronized (this) {
        writing = false;
        turn();
      }
    }
  }

  /** The digest, if that was all. */
  private Optional<String> writeNext() throws IOException {
    byte[] chunk;
    boolean last;
    synchronized (this) {
      if (stopped.isPresent()) {
        throw stopped.get();
      }
      chunk = chunks.element();
      last = complete && chunks.size() == 1;
    }
    if (incoming.isEmpty()) {
      incoming = Optional.of(store.begin());
    }
    if (writtenBytes + chunk.length > limitBytes) {
      throw new BlobTooLarge(limitBytes);
    }
    if (chunk.length > 0) {
      incoming.get().add(chunk);
    }
    long now = writtenBytes + chunk.length;
    writtenBytes = now;
    if (last) {
      return Optional.of(incoming.get().end());
    }
    synchronized (this) {
      chunks.remove();
    }
    told.given.accept(chunk.length);
    told.written.accept(writtenBytes);
    return Optional.empty();
  }

  private void end() {
    int rest;
    synchronized (this) {
      over = true;
      rest = chunks.stream().mapToInt(chunk -> chunk.length).sum();
      chunks.clear();
    }
    told.given.accept(rest);
    try {
      if (incoming.isPresent()) {
        incoming.get().close();
      }
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(Upload.class)
          .warn("an upload could not be cleared away: {}", e.getMessage());
    }
  }
}
