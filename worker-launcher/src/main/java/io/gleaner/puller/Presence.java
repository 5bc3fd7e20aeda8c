package io.gleaner.puller;

import io.gleaner.leasing.Ticker;
import io.gleaner.signing.Signer;
import io.gleaner.space.TupleSpace;
import io.gleaner.status.LauncherStatus;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.StatusEntry;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the market sees of a launcher: its offer and its status, alive by lease; one thread. */
final class Presence {
  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);
  private static final long OFFER_LEASE_MILLIS = 30_000;
  private static final long OFFER_RENEWAL_MILLIS = 10_000;
  private static final long STATUS_LEASE_MILLIS = 15_000;
  private static final long STATUS_RENEWAL_MILLIS = 5_000;
  private static final long STATUS_PACE_MILLIS = 1_000;

  private final TupleSpace space;
  private final LauncherSettings settings;
  private final String owner;
  private final long microUnitsPerSecond;
  private final Ticker ticker;

  private Lease offer;
  private List<String> refusedTold = List.of();
  private long offerNanos;
  private Lease status;
  private long statusNanos;
  private String statusKey = "";

  Presence(
      TupleSpace space,
      LauncherSettings settings,
      String owner,
      long microUnitsPerSecond,
      Ticker ticker) {
    this.space = space;
    this.settings = settings;
    this.owner = owner;
    this.microUnitsPerSecond = microUnitsPerSecond;
    this.ticker = ticker;
  }

  /** Removes what an earlier launcher of this name left behind. */
  void clear()
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    List<Entry> templates =
        List.of(
            OfferEntry.ofLauncher(settings.launcherId()),
            StatusEntry.ofLauncher(settings.launcherId()));
    for (Entry template : templates) {
      while (space.takeIfExists(template, null, 0) != null) {
        LOG.info("removed what an earlier launcher '{}' left behind", settings.launcherId());
      }
    }
  }

  /**
   * Keeps the offer in the market, or out of it.
   *
   * @param refused programs that do not run here, for the market to send them elsewhere
   */
  void offer(boolean offering, List<String> refused) throws RemoteException, TransactionException {
    if (!offering) {
      cancel(offer);
      offer = null;
    } else if (offer == null || !refused.equals(refusedTold)) {
      Lease before = offer;
      refusedTold = refused;
      offerNanos = ticker.nanos();
      offer = space.write(offerEntry(), null, OFFER_LEASE_MILLIS);
      cancel(before);
    } else if (passed(offerNanos, OFFER_RENEWAL_MILLIS)) {
      long now = ticker.nanos();
      try {
        offer.renew(OFFER_LEASE_MILLIS);
      } catch (LeaseException e) {
        LOG.info("the offer had run out, it is made again: {}", e.toString());
        offer = space.write(offerEntry(), null, OFFER_LEASE_MILLIS);
      }
      offerNanos = now;
    }
  }

  /** Tells the market how the launcher is, when that changed and else now and then. */
  void tell(LauncherStatus now) throws RemoteException, TransactionException {
    String key = now.state() + now.running() + now.completed();
    boolean changed = !key.equals(statusKey) && passed(statusNanos, STATUS_PACE_MILLIS);
    if (status != null && !changed && !passed(statusNanos, STATUS_RENEWAL_MILLIS)) {
      return;
    }
    Lease before = status;
    status = space.write(statusEntry(now), null, STATUS_LEASE_MILLIS);
    statusNanos = ticker.nanos();
    statusKey = key;
    cancel(before);
  }

  /** Withdraws offer and status. */
  void leave() {
    cancel(offer);
    cancel(status);
    offer = null;
    status = null;
  }

  private boolean passed(long sinceNanos, long millis) {
    return ticker.nanos() - sinceNanos >= TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static void cancel(Lease lease) {
    try {
      if (lease != null) {
        lease.cancel();
      }
    } catch (LeaseException | RemoteException | RuntimeException e) {
      LOG.debug("it ends with its lease: {}", e.toString());
    }
  }

  private OfferEntry offerEntry() {
    OfferEntry entry = OfferEntry.ofLauncher(settings.launcherId());
    entry.owner = owner;
    entry.site = settings.site();
    entry.slots = settings.slots();
    entry.microUnitsPerSecond = microUnitsPerSecond;
    entry.memoryMegabytes = settings.memoryMegabytes();
    entry.kinds = List.of(io.gleaner.tuple.TaskKind.JAVA.name());
    entry.labels = settings.labels();
    entry.signers = settings.signers().stream().map(Signer::hex).sorted().toList();
    entry.refused = refusedTold;
    entry.reserveMicrosPerUnit = settings.reserveMicrosPerUnit();
    return entry;
  }

  private StatusEntry statusEntry(LauncherStatus now) {
    StatusEntry entry = StatusEntry.ofLauncher(settings.launcherId());
    entry.owner = owner;
    entry.state = now.state();
    entry.reason = now.reason();
    entry.slots = now.slots();
    entry.running = now.running();
    entry.completed = now.completed();
    entry.meteredMicroUnits = now.meteredMicroUnits();
    entry.microUnitsPerSecond = microUnitsPerSecond;
    return entry;
  }
}
