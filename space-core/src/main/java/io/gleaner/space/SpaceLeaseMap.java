package io.gleaner.space;

import com.sun.jini.lease.AbstractLeaseMap;
import io.gleaner.space.core.Routing;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseException;
import net.jini.core.lease.LeaseMapException;
import net.jini.core.lease.UnknownLeaseException;

/**
 * Leases of one client; what is in one cell of the space is renewed and cancelled by one command.
 */
final class SpaceLeaseMap extends AbstractLeaseMap {

  private static final int AT_ONCE = 1_000;
  private static final String OVER = "the lease ended, was cancelled, or what it kept was taken";

  private final SpaceLease first;

  SpaceLeaseMap(SpaceLease first, long millis) {
    super(first, Arguments.requireLease(millis));
    this.first = first;
  }

  @Override
  public boolean canContainKey(Object key) {
    return key instanceof SpaceLease lease && first.canBatch(lease);
  }

  /**
   * Adds a lease.
   *
   * @throws IllegalArgumentException if the lease is none of this space's for the map, or the
   *     duration none that a renewal may ask for
   */
  @Override
  public Object put(Object key, Object value) {
    Arguments.requireLease(value);
    return super.put(key, value);
  }

  @Override
  public void renewAll() throws LeaseMapException, RemoteException {
    Map<Lease, Throwable> failed = new HashMap<>();
    for (List<SpaceLease> each : inGroups(lease -> true)) {
      ask(
          each,
          new Command.RenewLeases(
              each.stream().map(SpaceLease::id).toList(),
              each.stream().map(lease -> (Long) map.get(lease)).toList()),
          SpaceLease::wasRenewed,
          failed);
    }
    tell(failed);
  }

  /** Transactions one by one: who cancels one may rely on it that its locks are gone. */
  @Override
  public void cancelAll() throws LeaseMapException, RemoteException {
    Map<Lease, Throwable> failed = new HashMap<>();
    for (List<SpaceLease> each : inGroups(lease -> !isOfTransaction(lease))) {
      ask(
          each,
          new Command.CancelLeases(each.stream().map(SpaceLease::id).toList()),
          (lease, millis) -> lease.isOver(),
          failed);
    }
    for (List<SpaceLease> each : inGroups(SpaceLeaseMap::isOfTransaction)) {
      for (SpaceLease lease : each) {
        try {
          lease.cancel();
        } catch (LeaseException | RemoteException e) {
          failed.put(lease, e);
        }
      }
    }
    tell(failed);
  }

  private static boolean isOfTransaction(SpaceLease lease) {
    return lease.id().kind() == LeaseId.Kind.TRANSACTION;
  }

  /** Leases of one cell each, no more than one command takes. */
  private List<List<SpaceLease>> inGroups(Predicate<SpaceLease> which) {
    Map<Integer, List<SpaceLease>> open = new HashMap<>();
    List<List<SpaceLease>> groups = new ArrayList<>();
    for (Object key : map.keySet()) {
      SpaceLease lease = (SpaceLease) key;
      if (which.test(lease)) {
        List<SpaceLease> group = open.get(Routing.cellOf(lease.id()));
        if (group == null || group.size() == AT_ONCE) {
          group = new ArrayList<>();
          open.put(Routing.cellOf(lease.id()), group);
          groups.add(group);
        }
        group.add(lease);
      }
    }
    return groups;
  }

  private void ask(
      List<SpaceLease> leases,
      Command command,
      ObjLongConsumer<SpaceLease> done,
      Map<Lease, Throwable> failed) {
    try {
      Reply.EachLease reply = (Reply.EachLease) Refusals.ofLease(first.lanes().ask(command));
      for (int i = 0; i < leases.size(); i++) {
        long millis = reply.millis().get(i);
        if (millis == Reply.NO_LEASE) {
          leases.get(i).isOver();
          failed.put(leases.get(i), new UnknownLeaseException(OVER));
        } else {
          done.accept(leases.get(i), millis);
        }
      }
    } catch (LeaseException | RemoteException e) {
      leases.forEach(lease -> failed.put(lease, e));
    }
  }

  private void tell(Map<Lease, Throwable> failed) throws LeaseMapException {
    if (!failed.isEmpty()) {
      failed.keySet().forEach(this::remove);
      throw new LeaseMapException(failed.size() + " leases failed", failed);
    }
  }
}
