package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of uploads of one owner that wait to be written; whoever brings more waits until there
 * is room. Safe for all threads.
 */
final class Intake {
  /** Of all owners together. */
  static final class Total {
    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();

    Total(long mostBytes) {
      this.mostBytes = mostBytes;
    }
  }

  private final long mostBytes;
  private final Total total;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  Intake(long mostBytes, Total total) {
    this.mostBytes = mostBytes;
    this.total = total;
  }

  /**
   * Counts the bytes until {@link #gives}; or counts nothing and calls back when some were given.
   * An owner of whom nothing waits is never held up.
   */
  synchronized boolean takes(int count, Runnable later) {
    if (bytes > 0 && (bytes + count > mostBytes || total.bytes.get() + count > total.mostBytes)) {
      waiting.add(later);
      return false;
    }
    bytes += count;
    total.bytes.addAndGet(count);
    return true;
  }

  void gives(int count) {
    synchronized (this) {
      bytes -= count;
      total.bytes.addAndGet(-count);
    }
    wakesNext();
  }

  /** Calls one back: each that goes on wakes the next. */
  void wakesNext() {
    Optional<Runnable> next;
    synchronized (this) {
      next = Optional.ofNullable(waiting.poll());
    }
    next.ifPresent(Runnable::run);
  }

  synchronized long bytes() {
    return bytes;
  }
}
