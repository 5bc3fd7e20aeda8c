package io.gleaner.puller;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Renews the leases of all holds from one thread. */
final class Heartbeat implements AutoCloseable {
  private static final long PERIOD_MILLIS = 3000;

  private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "heartbeat");
            thread.setDaemon(true);
            return thread;
          });

  private final Future<?> beat;

  Heartbeat() {
    beat =
        thread.scheduleWithFixedDelay(
            () -> holds.forEach(Hold::renew), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  void add(Hold hold) {
    holds.add(hold);
  }

  void remove(Hold hold) {
    holds.remove(hold);
  }

  @Override
  public void close() {
    beat.cancel(true);
    thread.shutdownNow();
  }
}
