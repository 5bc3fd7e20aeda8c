package io.gleaner.space;

import io.gleaner.notification.Listeners;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.transaction.TransactionException;
import net.jini.space.JavaSpace;

/** Who listens to events of a space by one of its clients. Safe for all threads. */
final class Audience implements AutoCloseable {
  private final JavaSpace source;
  private final Listeners listeners;
  private final EarlyEvents early = new EarlyEvents();
  private final Map<Long, Wish> known = new ConcurrentHashMap<>();

  /** What an event needs to become one of the specification's. */
  record Wish(MarshalledObject<?> handback, boolean availability, ClassLoader classes) {}

  /** Asks the space to register somebody. */
  @FunctionalInterface
  interface Asking {
    Reply.Registered ask() throws TransactionException, RemoteException;
  }

  Audience(JavaSpace source, String holder) {
    this.source = source;
    this.listeners = new Listeners(holder);
  }

  /** Registers a listener, which also hears what comes before the answer to that. */
  Reply.Registered joins(RemoteEventListener listener, Wish wish, Asking asking)
      throws TransactionException, RemoteException {
    early.expect();
    try {
      Reply.Registered reply = asking.ask();
      long eventId = reply.eventId();
      listeners.add(eventId, listener);
      early.claim(eventId, event -> tell(event, wish), () -> known.put(eventId, wish));
      return reply;
    } finally {
      early.expectNoMore();
    }
  }

  void leaves(long eventId) {
    known.remove(eventId);
    listeners.remove(eventId);
  }

  void heard(SpaceEvent event) {
    long id = event.eventId();
    if (known.containsKey(id) || early.isClaimed(event, () -> known.containsKey(id))) {
      Optional.ofNullable(known.get(id)).ifPresent(wish -> tell(event, wish));
    }
  }

  private void tell(SpaceEvent event, Wish wish) {
    listeners.tell(event.eventId(), id -> remoteEvent(event, wish));
  }

  private RemoteEvent remoteEvent(SpaceEvent event, Wish wish) {
    return wish.availability() && event.entry().isPresent()
        ? new EntryAvailable(source, event, event.entry().get(), wish.handback(), wish.classes())
        : new RemoteEvent(source, event.eventId(), event.sequence(), wish.handback());
  }

  @Override
  public void close() {
    listeners.close();
  }
}
