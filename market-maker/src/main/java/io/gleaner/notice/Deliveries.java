package io.gleaner.notice;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notices that are being sent now, a few at a time and fewer of one owner, so that receivers
 * who do not answer hold up nobody else's. Safe for all threads; what is under way is guarded by
 * the monitor.
 */
final class Deliveries implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
  private static final int AT_A_TIME = 8;
  static final int OF_AN_OWNER = 2;

  private final ThreadPoolExecutor threads =
      (ThreadPoolExecutor)
          Executors.newFixedThreadPool(
              AT_A_TIME,
              task -> {
                Thread thread = new Thread(task, "bag-notice");
                thread.setDaemon(true);
                return thread;
              });

  private final Map<String, Integer> ofOwners = new HashMap<>();

  private final Set<String> underWay = new HashSet<>();

  private boolean closed;

  /** Sends one. */
  @FunctionalInterface
  interface Delivery {
    void deliver(Notice notice);
  }

  Deliveries() {
    threads.setKeepAliveTime(1, TimeUnit.MINUTES);
    threads.allowCoreThreadTimeOut(true);
  }

  /** Begins with those for which there is room, first with owners of whom nothing is under way. */
  synchronized void begin(List<NoticeTable.Due> due, Delivery delivery) {
    for (int most = 1; most <= OF_AN_OWNER; most++) {
      for (NoticeTable.Due each : due) {
        if (!closed
            && underWay.size() < AT_A_TIME
            && ofOwners.getOrDefault(each.owner(), 0) < most
            && underWay.add(each.notice().key())) {
          ofOwners.merge(each.owner(), 1, Integer::sum);
          threads.execute(() -> deliver(each, delivery));
        }
      }
    }
  }

  private void deliver(NoticeTable.Due due, Delivery delivery) {
    try {
      delivery.deliver(due.notice());
    } catch (RuntimeException e) {
      LOG.error("notice {} could not be sent", due.notice().key(), e);
    } finally {
      synchronized (this) {
        underWay.remove(due.notice().key());
        ofOwners.computeIfPresent(due.owner(), (owner, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  /** Begins nothing any more and interrupts what is under way. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    threads.shutdownNow();
  }

  /** Waits after {@link #close}; false if something is still being sent. */
  boolean awaitEnd(Duration patience) throws InterruptedException {
    return threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
