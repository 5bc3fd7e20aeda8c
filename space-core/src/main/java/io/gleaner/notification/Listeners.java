package io.gleaner.notification;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.event.UnknownEventException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one client, called in the order of events on one thread. Safe for all threads.
 *
 * <p>Events are hints (D7): when a listener is too slow the oldest are dropped.
 */
public final class Listeners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);
  private static final int QUEUE = 10_000;

  private final Map<Long, RemoteEventListener> byEvent = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor thread;

  public Listeners(String name) {
    thread =
        new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            task -> {
              Thread created = new Thread(task, "events-" + name);
              created.setDaemon(true);
              return created;
            },
            new ThreadPoolExecutor.DiscardOldestPolicy());
  }

  public void add(long eventId, RemoteEventListener listener) {
    byEvent.put(eventId, listener);
  }

  public void remove(long eventId) {
    byEvent.remove(eventId);
  }

  /** Hands the event to its listener, if there is one; {@code event} is made on the thread. */
  public void tell(long eventId, LongFunction<RemoteEvent> event) {
    RemoteEventListener listener = byEvent.get(eventId);
    if (listener != null) {
      thread.execute(() -> call(eventId, listener, event));
    }
  }

  private void call(long eventId, RemoteEventListener listener, LongFunction<RemoteEvent> event) {
    try {
      listener.notify(event.apply(eventId));
    } catch (UnknownEventException e) {
      byEvent.remove(eventId);
      LOG.debug("the listener of event {} does not want it any more", eventId);
    } catch (Exception e) {
      LOG.warn("the listener of event {} failed", eventId, e);
    }
  }

  @Override
  public void close() {
    byEvent.clear();
    thread.shutdownNow();
  }
}
