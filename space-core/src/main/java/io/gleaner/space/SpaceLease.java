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
    this.clock = clock;
    this.id = granted.lease();
    this.gone = gone;
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
  }

  /** It is known to be over. */
  void isOver() {
    gone.run();
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
