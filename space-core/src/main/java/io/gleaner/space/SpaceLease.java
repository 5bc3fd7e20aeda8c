package io.gleaner.space;

import com.sun.jini.lease.AbstractLease;
import com.sun.jini.lease.AbstractLeaseMap;
import java.rmi.RemoteException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.LeaseException;
import net.jini.core.lease.LeaseMap;
import net.jini.core.lease.LeaseMapException;
import net.jini.core.lease.UnknownLeaseException;

/** A lease that the space granted, as River's helpers use it. Safe for all threads. */
final class SpaceLease extends AbstractLease {
  private static final long serialVersionUID = 1L;
  private final transient Lanes lanes;
  private final transient LeaseId id;
  private final transient Runnable gone;

  SpaceLease(Lanes lanes, InstantSource clock, Reply.Granted granted) {
    this(lanes, clock, granted, () -> {});
  }

  /**
   * @param gone called when the lease is found to be over
   */
  SpaceLease(Lanes lanes, InstantSource clock, Reply.Granted granted, Runnable gone) {
    super(expiration(clock, granted.millis()));
    this.lanes = lanes;
    this.id = granted.lease();
    this.gone = gone;
  }

  private static long expiration(InstantSource clock, long millis) {
    long now = clock.millis();
    return millis >= Lease.FOREVER - now ? Lease.FOREVER : now + millis;
  }

  /** Returns the milliseconds granted; the base class makes an expiration of them. */
  @Override
  protected long doRenew(long millis)
      throws UnknownLeaseException, LeaseDeniedException, RemoteException {
    if (millis < 0 && millis != Lease.ANY) {
      throw new IllegalArgumentException(
          "a lease of " + millis + " ms; expected 0 or more, Lease.ANY or Lease.FOREVER");
    }
    try {
      Reply reply = Refusals.ofLease(lanes.ask(new Command.RenewLease(id, millis)));
      return ((Reply.Renewed) reply).millis();
    } catch (UnknownLeaseException e) {
      gone.run();
      throw e;
    }
  }

  @Override
  public void cancel() throws UnknownLeaseException, RemoteException {
    try {
      Refusals.ofLease(lanes.ask(new Command.CancelLease(id)));
      gone.run();
    } catch (LeaseDeniedException e) {
      throw new RemoteException("a cancel was denied", e);
    }
  }

  @Override
  public boolean canBatch(Lease other) {
    return other instanceof SpaceLease lease && lease.lanes == lanes;
  }

  @Override
  public LeaseMap createLeaseMap(long millis) {
    return new Batch(this, millis);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceLease lease && lease.lanes == lanes && lease.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "lease of " + id;
  }

  /** Leases of one client; renewed and cancelled one after the other over one connection. */
  private static final class Batch extends AbstractLeaseMap {
    private final SpaceLease first;

    Batch(SpaceLease first, long millis) {
      super(first, millis);
      this.first = first;
    }

    @Override
    public boolean canContainKey(Object key) {
      return key instanceof SpaceLease lease && first.canBatch(lease);
    }

    @Override
    public void renewAll() throws LeaseMapException, RemoteException {
      each((lease, millis) -> lease.renew(millis));
    }

    @Override
    public void cancelAll() throws LeaseMapException, RemoteException {
      each((lease, millis) -> lease.cancel());
    }

    private interface Act {
      void on(SpaceLease lease, long millis) throws LeaseException, RemoteException;
    }

    private void each(Act act) throws LeaseMapException {
      Map<Lease, Throwable> failed = new HashMap<>();
      for (Object each : map.entrySet().toArray()) {
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
        SpaceLease lease = (SpaceLease) entry.getKey();
        try {
          act.on(lease, (Long) entry.getValue());
        } catch (LeaseException | RemoteException e) {
          failed.put(lease, e);
        }
      }
      if (!failed.isEmpty()) {
        failed.keySet().forEach(this::remove);
        throw new LeaseMapException(failed.size() + " leases failed", failed);
      }
    }
  }
}
