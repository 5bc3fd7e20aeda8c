package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one connection has the node hold in memory until its other end goes on: the part of a frame
 * that has come, and answers that it has not read. Counted for its owner and for all together. Safe
 * for all threads.
 */
final class Holding {

  /** What all connections of a gateway may hold. */
  static final class Total {
    private static final int MOST_OF_HEAP = 8;

    final long mostBytes;
    final long mostOfOwnerBytes;
    private final AtomicLong bytes = new AtomicLong();

    Total(long mostBytes, long mostOfOwnerBytes) {
      this.mostBytes = mostBytes;
      this.mostOfOwnerBytes = mostOfOwnerBytes;
    }

    /** An eighth of the heap, at most half of it for one owner, but room for a few frames. */
    static Total ofHeap(GatewaySettings settings) {
      long share =
          Math.max(Runtime.getRuntime().maxMemory() / MOST_OF_HEAP, 4L * settings.frameBytes());
      return new Total(share, Math.min(share / 2, settings.ofOwner().heldBytes()));
    }

    long bytes() {
      return bytes.get();
    }

    boolean isTooMuch() {
      return bytes.get() > mostBytes;
    }
  }

  /** What the connections of one owner hold. */
  static final class OfOwner {
    /** What an owner may bring to wait although others hold much. */
    private static final long FREE_BYTES = 4L * Protocol.BLOB_CHUNK_BYTES;

    private final Total total;
    private final AtomicLong bytes = new AtomicLong();

    OfOwner(Total total) {
      this.total = total;
    }

    long bytes() {
      return bytes.get();
    }

    boolean isTooMuch() {
      return bytes.get() > total.mostOfOwnerBytes;
    }

    /** Whether chunks of blobs may come to what it holds, which can as well wait. */
    boolean hasRoom() {
      long held = bytes.get();
      return held < FREE_BYTES
          || (held < total.mostOfOwnerBytes / 2 && total.bytes.get() < total.mostBytes / 2);
    }

    private void change(long more) {
      bytes.addAndGet(more);
      total.bytes.addAndGet(more);
    }
  }

  private final OfOwner owner;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private boolean ended;

  Holding(OfOwner owner) {
    this.owner = owner;
  }

  /**
   * Counts more, or less.
   *
   * @return whether its owner's connections, or all, hold too much now
   */
  boolean change(long more) {
    synchronized (this) {
      if (ended) {
        return false;
      }
      bytes += more;
      owner.change(more);
    }
    return more > 0 && (owner.isTooMuch() || owner.total.isTooMuch());
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Counts nothing of it any more. */
  synchronized void end() {
    owner.change(-bytes);
    bytes = 0;
    ended = true;
  }
}
