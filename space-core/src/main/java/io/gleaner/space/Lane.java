package io.gleaner.space;

import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * One session of a client and the numbers of its operations. Safe for all threads.
 *
 * <p>An operation waits for its turn while the window of the session is full.
 */
final class Lane {
  private final SpaceEngine engine;
  private final long session;
  private final TreeSet<Long> outstanding = new TreeSet<>();
  private long last;

  Lane(SpaceEngine engine, long session) {
    this.engine = engine;
    this.session = session;
  }

  long session() {
    return session;
  }

  /** An operation under way. */
  record Sent(long sequence, CompletableFuture<Reply> reply) {}

  Sent send(Command command) throws InterruptedException {
    long sequence;
    long low;
    synchronized (this) {
      while (!outstanding.isEmpty() && last + 1 - outstanding.first() >= SpaceEngine.WINDOW) {
        wait();
      }
      sequence = ++last;
      outstanding.add(sequence);
      low = outstanding.first();
    }
    return new Sent(
        sequence,
        execute(sequence, low, command).whenComplete((answer, failure) -> answered(sequence)));
  }

  private CompletableFuture<Reply> execute(long sequence, long low, Command command) {
    try {
      return engine.execute(session, sequence, low, command);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized void answered(long sequence) {
    outstanding.remove(sequence);
    notifyAll();
  }
}
