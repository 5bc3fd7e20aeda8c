package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The downloads of one client: one reads a chunk at a time, and none while the client leaves chunks
 * unread. Safe for all threads.
 */
final class Outflow {
  private final Consumer<Runnable> readers;
  private final BooleanSupplier hasRoom;

  @GuardedBy("this")
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean running;

  Outflow(Consumer<Runnable> readers, BooleanSupplier hasRoom) {
    this.readers = readers;
    this.hasRoom = hasRoom;
  }

  /** Reads when there is room and it is its turn. */
  void take(Runnable turn) {
    synchronized (this) {
      waiting.add(turn);
    }
    goOn();
  }

  /** There may be room. */
  void goOn() {
    synchronized (this) {
      if (running || waiting.isEmpty() || !hasRoom.getAsBoolean()) {
        return;
      }
      running = true;
    }
    readers.accept(this::run);
  }

  private void run() {
    // Many may have been let on to the readers while there was room for one.
    try {
      if (hasRoom.getAsBoolean()) {
        next().run();
      }
    } finally {
      synchronized (this) {
        running = false;
      }
      goOn();
    }
  }

  private synchronized Runnable next() {
    return waiting.remove();
  }
}
