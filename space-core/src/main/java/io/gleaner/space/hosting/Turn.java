package io.gleaner.space.hosting;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to touch one cell, which one thread has at a time. Whoever brings a task does it, if
 * nobody else has the turn; else that thread does it too. So a request wakes no other thread on its
 * way. Safe for all threads.
 *
 * <p>Nobody waits for a turn while having one: what a task brings to other cells is done after it.
 */
final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

  /**
   * So much is done by one who came with a task of his own, in all cells together; the rest is left
   * to other threads.
   */
  private static final int MOST_TASKS = 64;

  private static final ThreadLocal<Agenda> AGENDA = ThreadLocal.withInitial(Agenda::new);

  private final Executor elsewhere;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * A turn.
   *
   * @param elsewhere a thread for what is not to be done by those who bring it
   */
  Turn(Executor elsewhere) {
    this.elsewhere = elsewhere;
  }

  /** What the current thread has to do. */
  private static final class Agenda {
    final ArrayDeque<Turn> next = new ArrayDeque<>();
    boolean busy;
    int done;

    void begin(Runnable task) {
      if (busy) {
        throw new IllegalStateException("a thread that has the turn of a cell waits for another");
      }
      busy = true;
      done = 0;
      try {
        task.run();
        for (Turn turn = next.poll(); turn != null; turn = next.poll()) {
          turn.work(this);
        }
      } finally {
        busy = false;
        // Something failed, and nobody else knows of these.
        for (Turn turn = next.poll(); turn != null; turn = next.poll()) {
          turn.leave();
        }
      }
    }
  }

  /** Does the task here, or lets the one do it who has the turn. */
  void soon(Runnable task) {
    tasks.add(task);
    Agenda agenda = AGENDA.get();
    if (agenda.busy) {
      agenda.next.add(this);
    } else {
      agenda.begin(() -> work(agenda));
    }
  }

  /** Does the task on another thread. */
  void later(Runnable task) {
    tasks.add(task);
    leave();
  }

  /** Waits for the turn and does the task; not for somebody who has a turn. */
  void now(Runnable task) {
    Agenda agenda = AGENDA.get();
    agenda.begin(
        () -> {
          lock.lock();
          try {
            task.run();
          } finally {
            lock.unlock();
            work(agenda);
          }
        });
  }

  private void leave() {
    elsewhere.execute(
        () -> {
          Agenda agenda = AGENDA.get();
          agenda.begin(() -> work(agenda));
        });
  }

  private void work(Agenda agenda) {
    // Who brought something meanwhile did not get the turn: it is looked at once more.
    while (!tasks.isEmpty()) {
      if (agenda.done >= MOST_TASKS) {
        leave();
        return;
      }
      if (!lock.tryLock()) {
        return;
      }
      boolean failed = true;
      try {
        while (agenda.done < MOST_TASKS && runNext()) {
          agenda.done++;
        }
        failed = false;
      } finally {
        lock.unlock();
        if (failed) {
          leave();
        }
      }
    }
  }

  /** False if there was nothing to do. */
  private boolean runNext() {
    Runnable task = tasks.poll();
    if (task != null) {
      run(task);
    }
    return task != null;
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.error("a task of a cell failed", e);
    }
  }
}
