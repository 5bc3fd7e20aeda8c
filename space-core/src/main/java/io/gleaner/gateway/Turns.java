package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Short tasks on a few threads, one of each owner in turn: who has many waits for nobody but
 * himself. Safe for all threads.
 */
final class Turns {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

  private final Executor threads;
  private final int atATime;

  /** By owners, in the order of their turns; nobody is there without a task. */
  @GuardedBy("this")
  private final Map<String, Queue<Runnable>> waiting = new LinkedHashMap<>();

  @GuardedBy("this")
  private int running;

  Turns(Executor threads, int atATime) {
    this.threads = threads;
    this.atATime = atATime;
  }

  /** Carries the task out when it is the owner's turn. */
  void take(String owner, Runnable task) {
    synchronized (this) {
      waiting.computeIfAbsent(owner, o -> new ArrayDeque<>()).add(task);
      if (running == atATime) {
        return;
      }
      running++;
    }
    threads.execute(this::runNext);
  }

  private void runNext() {
    try {
      next().ifPresent(Runnable::run);
    } catch (RuntimeException | Error e) {
      LOG.error("a task about a blob failed", e);
    }
    synchronized (this) {
      if (waiting.isEmpty()) {
        running--;
        return;
      }
    }
    threads.execute(this::runNext);
  }

  private synchronized Optional<Runnable> next() {
    Iterator<Map.Entry<String, Queue<Runnable>>> owners = waiting.entrySet().iterator();
    if (!owners.hasNext()) {
      return Optional.empty();
    }
    Map.Entry<String, Queue<Runnable>> first = owners.next();
    String owner = first.getKey();
    Queue<Runnable> tasks = first.getValue();
    owners.remove();
    Runnable task = tasks.remove();
    if (!tasks.isEmpty()) {
      waiting.put(owner, tasks);
    }
    return Optional.of(task);
  }
}
