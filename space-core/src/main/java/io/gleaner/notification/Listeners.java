package io.gleaner.notification;

import com.sun.jini.constants.ThrowableConstants;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.event.UnknownEventException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one client, called in the order of events on one thread. Safe for all threads.
 *
 * <p>Events are hints (D7): when a listener is too slow the oldest are dropped, and a call that
 * failed is not made again. A listener that does not want its event any more, or is no more, is
 * removed. Source: Jini Distributed Events specification, EV.2.
 */
public final class Listeners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);
  private static final int QUEUE = 10_000;

  private final Map<Long, RemoteEventListener> byEvent = new ConcurrentHashMap<>();
  private final Set<Long> failed = ConcurrentHashMap.newKeySet();
  private final LongConsumer refused;
  private final ThreadPoolExecutor thread;

  /**
   * @param refused hears, on the thread of the listeners, which event its listener does not take
   *     any more
   */
  public Listeners(String name, LongConsumer refused) {
    this.refused = refused;
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
    failed.remove(eventId);
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
      LOG.debug("the listener of event {} does not want it any more", eventId);
      end(eventId);
    } catch (Exception e) {
      if (isGone(e)) {
        LOG.debug("the listener of event {} is no more", eventId, e);
        end(eventId);
      } else if (failed.add(eventId)) {
        // An error, since a program's log may show nothing less.
        LOG.error(
            "the listener of event {} failed; what else it fails at is in the debug log only",
            eventId,
            e);
      } else {
        LOG.debug("the listener of event {} failed again", eventId, e);
      }
    }
  }

  /** Whether no call to that object can succeed any more. */
  private static boolean isGone(Exception e) {
    return e instanceof RemoteException
        && ThrowableConstants.retryable(e) == ThrowableConstants.BAD_OBJECT;
  }

  private void end(long eventId) {
    remove(eventId);
    refused.accept(eventId);
  }

  @Override
  public void close() {
    byEvent.clear();
    thread.shutdownNow();
  }
}
