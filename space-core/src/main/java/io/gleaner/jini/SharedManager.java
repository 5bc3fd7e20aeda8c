package io.gleaner.jini;

import com.sun.jini.landlord.Landlord;
import com.sun.jini.landlord.LeaseFactory;
import io.gleaner.space.Command;
import io.gleaner.space.Lanes;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Refusals;
import io.gleaner.space.Reply;
import java.rmi.RemoteException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.LeaseException;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.CannotAbortException;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.CannotJoinException;
import net.jini.core.transaction.TimeoutExpiredException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.CrashCountException;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import net.jini.id.Uuid;
import net.jini.id.UuidFactory;

/** What clients and participants of {@link SharedTransactions} call. Safe for all threads. */
final class SharedManager implements TransactionManager, Landlord {
  private final Lanes lanes;
  private final Uuid id;
  private final InstantSource clock;
  private final Map<Long, Shared> open = new ConcurrentHashMap<>();
  private TransactionManager proxy;
  private LeaseFactory leases;

  SharedManager(Lanes lanes, Uuid id, InstantSource clock) {
    this.lanes = lanes;
    this.id = id;
    this.clock = clock;
  }

  /** Its own proxies, before anybody can call it. */
  void knownAs(TransactionManager manager, Landlord landlord) {
    proxy = manager;
    leases = new LeaseFactory(landlord, id);
  }

  int size() {
    return open.size();
  }

  @Override
  public Created create(long leaseMillis) throws LeaseDeniedException, RemoteException {
    Reply reply;
    try {
      reply = Refusals.ofLease(lanes.ask(new Command.Begin(leaseMillis)));
    } catch (UnknownLeaseException e) {
      throw new RemoteException("a new transaction has no lease", e);
    }
    Reply.Began began = (Reply.Began) reply;
    Uuid cookie = UuidFactory.create(began.transaction(), 0);
    long until = clock.millis() + began.lease().millis();
    return new Created(began.transaction(), leases.newLease(cookie, until));
  }

  @Override
  public void join(long transaction, TransactionParticipant participant, long crashCount)
      throws UnknownTransactionException,
          CannotJoinException,
          CrashCountException,
          RemoteException {
    if (stateInSpace(transaction) != ACTIVE) {
      throw new CannotJoinException("the end of the transaction has begun");
    }
    open.computeIfAbsent(transaction, absent -> new Shared(transaction, lanes))
        .join(participant, crashCount);
  }

  @Override
  public int getState(long transaction) throws UnknownTransactionException, RemoteException {
    Shared shared = open.get(transaction);
    return shared != null && shared.isDecided() ? shared.state() : stateInSpace(transaction);
  }

  private int stateInSpace(long transaction) throws UnknownTransactionException, RemoteException {
    return Shared.stateInSpace(lanes, transaction);
  }

  @Override
  public void commit(long transaction)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null) {
      try {
        Refusals.ofTransaction(lanes.ask(new Command.Commit(transaction)));
      } catch (CannotAbortException e) {
        throw new CannotCommitException(e.getMessage());
      }
      return;
    }
    try {
      shared.commit(proxy);
    } finally {
      tell(shared);
    }
  }

  @Override
  public void commit(long transaction, long waitMillis)
      throws UnknownTransactionException,
          CannotCommitException,
          TimeoutExpiredException,
          RemoteException {
    commit(transaction);
    awaitAll(transaction, waitMillis, true);
  }

  @Override
  public void abort(long transaction)
      throws UnknownTransactionException, CannotAbortException, RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null) {
      try {
        Refusals.ofTransaction(lanes.ask(new Command.Abort(transaction)));
      } catch (CannotCommitException e) {
        throw new CannotAbortException(e.getMessage());
      }
      return;
    }
    shared.abort();
    tell(shared);
  }

  @Override
  public void abort(long transaction, long waitMillis)
      throws UnknownTransactionException,
          CannotAbortException,
          TimeoutExpiredException,
          RemoteException {
    abort(transaction);
    awaitAll(transaction, waitMillis, false);
  }

  private void awaitAll(long transaction, long waitMillis, boolean committed)
      throws TimeoutExpiredException {
    Shared shared = open.get(transaction);
    if (shared != null && !shared.awaitTold(waitMillis)) {
      throw new TimeoutExpiredException("not every participant has heard yet", committed);
    }
  }

  private void tell(Shared shared) {
    if (shared.isDecided() && shared.tell(proxy)) {
      open.remove(shared.transaction(), shared);
    }
  }

  /** Tells again who has not heard, and everybody of what the space has aborted by itself. */
  void tellAll() {
    for (Shared shared : open.values()) {
      shared.abortIfGone();
      tell(shared);
    }
  }

  // Leases, by the transaction's number in their cookie.

  private static LeaseId lease(Uuid cookie) {
    return new LeaseId(LeaseId.Kind.TRANSACTION, "", cookie.getMostSignificantBits());
  }

  @Override
  public long renew(Uuid cookie, long millis)
      throws LeaseDeniedException, UnknownLeaseException, RemoteException {
    Reply reply = Refusals.ofLease(lanes.ask(new Command.RenewLease(lease(cookie), millis)));
    return ((Reply.Renewed) reply).millis();
  }

  @Override
  public void cancel(Uuid cookie) throws UnknownLeaseException, RemoteException {
    try {
      Refusals.ofLease(lanes.ask(new Command.CancelLease(lease(cookie))));
    } catch (LeaseDeniedException e) {
      throw new RemoteException("a cancel was denied", e);
    }
  }

  @Override
  public RenewResults renewAll(Uuid[] cookies, long[] millis) throws RemoteException {
    long[] granted = new long[cookies.length];
    Exception[] denied = null;
    java.util.List<Exception> failures = new java.util.ArrayList<>();
    for (int i = 0; i < cookies.length; i++) {
      try {
        granted[i] = renew(cookies[i], millis[i]);
      } catch (LeaseException e) {
        granted[i] = -1;
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      denied = failures.toArray(Exception[]::new);
    }
    return new RenewResults(granted, denied);
  }

  @Override
  @SuppressWarnings("rawtypes") // Landlord is older than generics
  public Map cancelAll(Uuid[] cookies) throws RemoteException {
    Map<Uuid, Exception> failed = new HashMap<>();
    for (Uuid cookie : cookies) {
      try {
        cancel(cookie);
      } catch (LeaseException e) {
        failed.put(cookie, e);
      }
    }
    return failed.isEmpty() ? null : failed;
  }
}
