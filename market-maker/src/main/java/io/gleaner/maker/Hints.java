package io.gleaner.maker;

import io.gleaner.book.Trigger;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.OfferEntry;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What wakes the market-maker before its time: changes of bids and offers, coalesced. Losing one
 * costs at most the time to the next tick. Safe for all threads.
 */
final class Hints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Hints.class);

  /** How often to renew; twice more before its registrations end. */
  static final Duration RENEWAL = Duration.ofSeconds(20);

  private static final long LEASE_MILLIS = 3 * RENEWAL.toMillis();

  private final TupleSpace space;
  private final BlockingQueue<Trigger> pending = new ArrayBlockingQueue<>(1);
  private final List<Lease> registrations = new ArrayList<>();

  Hints(TupleSpace space) {
    this.space = space;
  }

  /** Asks the space for events, or for them to go on; call again within {@link #RENEWAL}. */
  synchronized void renew() {
    for (Lease registration : List.copyOf(registrations)) {
      try {
        registration.renew(LEASE_MILLIS);
      } catch (UnknownLeaseException | LeaseDeniedException | RemoteException e) {
        LOG.info("a registration for events ended and is made again: {}", e.getMessage());
        cancelAll();
      }
    }
    if (registrations.isEmpty()) {
      JobEntry open = new JobEntry();
      open.state = JobState.OPEN;
      register(new BidEntry(), new Trigger.BidArrived());
      register(open, new Trigger.BidArrived());
      register(new OfferEntry(), new Trigger.OfferChanged());
    }
  }

  private void register(Entry template, Trigger trigger) {
    try {
      registrations.add(
          space.notify(template, null, event -> give(trigger), LEASE_MILLIS, null).getLease());
    } catch (TransactionException | RemoteException e) {
      LOG.warn(
          "no events for {}, the market clears by the clock alone: {}",
          template.getClass().getSimpleName(),
          e.getMessage());
    }
  }

  /** Wakes the market-maker; one hint that waits already will do. */
  void give(Trigger trigger) {
    if (!pending.offer(trigger)) {
      LOG.trace("{} joins a hint that waits", trigger);
    }
  }

  /** The next hint, or a tick when this time has passed. */
  Trigger await(Duration longest) throws InterruptedException {
    Trigger trigger = pending.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    return trigger == null ? new Trigger.Tick() : trigger;
  }

  private void cancelAll() {
    for (Lease registration : registrations) {
      try {
        registration.cancel();
      } catch (UnknownLeaseException | RemoteException e) {
        LOG.debug("a registration had ended", e);
      }
    }
    registrations.clear();
  }

  @Override
  public synchronized void close() {
    cancelAll();
  }
}
