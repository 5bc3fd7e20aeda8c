package io.gleaner.space;

import io.gleaner.leasing.Deadlines;
import io.gleaner.leasing.Ticker;
import io.gleaner.notification.Listeners;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import net.jini.core.event.EventRegistration;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who listens to events of a space by one of its clients. Safe for all threads.
 *
 * <p>Who does not want an event any more, or is gone, loses its registration. One whose lease has
 * ended is forgotten when the next joins.
 */
final class Audience implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Audience.class);

  /** An answer to the renewal of a lease may be late. */
  private static final long GRACE_NANOS = Duration.ofMinutes(1).toNanos();

  private final SpaceClient source;
  private final NamedSpace named;
  private final Ticker ticker;
  private final Cancelling cancel;
  private final Listeners listeners;
  private final EarlyEvents early = new EarlyEvents();
  private final Map<Long, Member> known = new ConcurrentHashMap<>();

  /** What an event needs to become one of the specification's. */
  record Wish(MarshalledObject<?> handback, boolean availability, ClassLoader classes) {}

  /** Asks the space to register somebody. */
  @FunctionalInterface
  interface Asking {
    Reply.Registered ask() throws TransactionException, RemoteException;
  }

  /** Ends the lease of a registration. */
  @FunctionalInterface
  interface Cancelling {
    void accept(LeaseId lease) throws RemoteException;
  }

  Audience(SpaceClient source, String space, String holder, Ticker ticker, Cancelling cancel) {
    this.source = source;
    this.named = new NamedSpace(UUID.randomUUID(), space);
    this.ticker = ticker;
    this.cancel = cancel;
    this.listeners = new Listeners(holder, this::refuses);
  }

  /** What stands for the space in events that are sent. */
  NamedSpace named() {
    return named;
  }

  /** One who listens, for as long as the lease is renewed. */
  private final class Member implements SpaceLease.Keeper {
    private final long eventId;
    private final LeaseId lease;
    private final RemoteEventListener listener;
    private final Wish wish;
    private volatile long endsNanos;

    Member(Reply.Registered as, RemoteEventListener listener, Wish wish) {
      this.eventId = as.eventId();
      this.lease = as.lease().lease();
      this.listener = listener;
      this.wish = wish;
      this.endsNanos = Deadlines.after(ticker.nanos(), as.lease().millis());
    }

    void enters() {
      known.put(eventId, this);
    }

    @Override
    public void renewed(long millis) {
      endsNanos = Deadlines.after(ticker.nanos(), millis);
      if (known.get(eventId) == null) {
        // It was forgotten while this answer was on its way.
        listeners.add(eventId, listener);
        enters();
      }
    }

    @Override
    public void over() {
      known.remove(eventId);
      listeners.remove(eventId);
    }

    void forgetIfOver(long nowNanos) {
      if (endsNanos != Deadlines.NEVER && nowNanos - endsNanos > GRACE_NANOS) {
        over();
      }
    }
  }

  /** Registers a listener, which also hears what comes before the answer to that. */
  EventRegistration joins(
      RemoteEventListener listener,
      Wish wish,
      Asking asking,
      BiFunction<Reply.Granted, SpaceLease.Keeper, SpaceLease> leasing)
      throws TransactionException, RemoteException {
    forgetThoseOver();
    named.standsFor(source);
    early.expect();
    try {
      Reply.Registered reply = asking.ask();
      Member member = new Member(reply, listener, wish);
      listeners.add(reply.eventId(), listener);
      early.claim(reply.eventId(), event -> tell(event, wish), member::enters);
      return new EventRegistration(
          reply.eventId(), source, leasing.apply(reply.lease(), member), reply.sequence());
    } finally {
      early.expectNoMore();
    }
  }

  private void forgetThoseOver() {
    long now = ticker.nanos();
    known.values().forEach(member -> member.forgetIfOver(now));
  }

  /** Its listener does not want it any more, or is gone. */
  private void refuses(long eventId) {
    Member member = known.get(eventId);
    if (member != null) {
      member.over();
      try {
        cancel.accept(member.lease);
      } catch (RemoteException e) {
        LOG.debug("the registration {} ends with its lease", eventId, e);
      }
    }
  }

  void heard(SpaceEvent event) {
    long id = event.eventId();
    if (known.containsKey(id) || early.isClaimed(event, () -> known.containsKey(id))) {
      Optional.ofNullable(known.get(id)).ifPresent(member -> tell(event, member.wish));
    }
  }

  /** How many are known. */
  int size() {
    return known.size();
  }

  private void tell(SpaceEvent event, Wish wish) {
    listeners.tell(event.eventId(), id -> remoteEvent(event, wish));
  }

  private RemoteEvent remoteEvent(SpaceEvent event, Wish wish) {
    return wish.availability() && event.entry().isPresent()
        ? new EntryAvailable(source, event, event.entry().get(), wish.handback(), wish.classes())
        : new EntryWritten(source, event.eventId(), event.sequence(), wish.handback());
  }

  @Override
  public void close() {
    listeners.close();
    named.standsForNobody();
  }
}
