package io.gleaner.space;

import com.sun.jini.lease.AbstractLease;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.rmi.RemoteException;
import java.time.InstantSource;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.LeaseMap;
import net.jini.core.lease.UnknownLeaseException;

/** A lease that the space granted, as River's helpers use it. Safe for all threads. */
final class SpaceLease extends AbstractLease {
  private static final long serialVersionUID = 1L;
  private final transient Lanes lanes;
  private final transient InstantSource clock;
  private final transient LeaseId id;
  private final transient Keeper keeper;

  /** Who keeps something for as long as the lease lasts. */
  interface Keeper {
    void renewed(long millis);

    /** The lease is found to be over. */
    void over();
  }

  private static final Keeper NOBODY =
      new Keeper() {
        @Override
        public void renewed(long millis) {}

        @Override
        public void over() {}
      };

  SpaceLease(Lanes lanes, InstantSource clock, Reply.Granted granted) {
    this(lanes, clock, granted, NOBODY);
  }

  SpaceLease(Lanes lanes, InstantSource clock, Reply.Granted granted, Keeper keeper) {
    super(expiration(clock, granted.millis()));
    this.lanes = lanes;
    this.clock = clock;
    this.id = granted.lease();
    this.keeper = keeper;
  }

  private static long expiration(InstantSource clock, long millis) {
    long now = clock.millis();
    return millis >= Lease.FOREVER - now ? Lease.FOREVER : now + millis;
  }

  Lanes lanes() {
    return lanes;
  }

  LeaseId id() {
    return id;
  }

  /** It was renewed together with others, for so many milliseconds. */
  synchronized void wasRenewed(long millis) {
    expiration = expiration(clock, millis);
    keeper.renewed(millis);
  }

  /** It is known to be over. */
  void isOver() {
    keeper.over();
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
      long granted = ((Reply.Renewed) reply).millis();
      keeper.renewed(granted);
      return granted;
    } catch (UnknownLeaseException e) {
      keeper.over();
      throw e;
    }
  }

  @Override
  public void cancel() throws UnknownLeaseException, RemoteException {
    try {
      Refusals.ofLease(lanes.ask(new Command.CancelLease(id)));
      keeper.over();
    } catch (LeaseDeniedException e) {
      throw new RemoteException("a cancel was denied", e);
    }
  }

  /** Never: it needs the connection that it was granted over, and the rights of its holder. */
  private void writeObject(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException(
        SpaceLease.class.getName()
            + ", a lease of this space, which works in the program that it was granted to only; keep"
            + " it there, and write what it is for");
  }

  @Override
  public boolean canBatch(Lease other) {
    return other instanceof SpaceLease lease && lease.lanes == lanes;
  }

  @Override
  public LeaseMap createLeaseMap(long millis) {
    return new SpaceLeaseMap(this, millis);
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
}
