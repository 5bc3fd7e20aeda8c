package io.gleaner.bag;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells subscribers which bags changed, on a thread of its own. A bag that changes many times
 * within the coalescing time is told once, so that what waits is bounded by the number of bags.
 * Safe for all threads.
 */
final class ChangeFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);

  private final List<Consumer<String>> subscribers = new CopyOnWriteArrayList<>();
  private final long coalesceMillis;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "bag-changes");
            daemon.setDaemon(true);
            return daemon;
          });

  /** Guarded by itself. */
  private final Set<String> changed = new LinkedHashSet<>();

  ChangeFeed(Duration coalesce) {
    this.coalesceMillis = coalesce.toMillis();
  }

  AutoCloseable subscribe(Consumer<String> subscriber) {
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  void changed(String jobId) {
    if (subscribers.isEmpty()) {
      return;
    }
    synchronized (changed) {
      boolean first = changed.isEmpty();
      changed.add(jobId);
      if (first && !thread.isShutdown()) {
        var unused = thread.schedule(this::tell, coalesceMillis, TimeUnit.MILLISECONDS);
      }
    }
  }

  private void tell() {
    List<String> now;
    synchronized (changed) {
      now = List.copyOf(changed);
      changed.clear();
    }
    for (String jobId : now) {
      for (Consumer<String> subscriber : subscribers) {
        try {
          subscriber.accept(jobId);
        } catch (RuntimeException e) {
          LOG.error("a subscriber failed on a change of bag {}", jobId, e);
        }
      }
    }
  }

  @Override
  public void close() {
    synchronized (changed) {
      thread.shutdownNow();
    }
  }
}
