package io.gleaner.jini;

import com.sun.jini.landlord.Landlord;
import com.sun.jini.landlord.LeaseFactory;
import io.gleaner.leasing.Ticker;
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
import java.util.concurrent.TimeUnit;
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
  private static final long DECISION_MILLIS = 120_000;
  private static final String UNTOLD = "not every participant has heard yet";

  private final Shared.Around around;
  private final Uuid id;
  private final InstantSource clock;
  private final Ticker ticker = Ticker.system();
  private final Map<Long, Shared> open = new ConcurrentHashMap<>();
  private final Map<Long, SharedDecision> committedBefore = new HashMap<>();
  private TransactionManager proxy;
  private LeaseFactory leases;

  /** Knows what the decisions say was committed before this process began. */
  SharedManager(
      Lanes lanes,
      SharedDecisions decisions,
      PeerCalls space,
      PeerCalls peers,
      Uuid id,
      InstantSource clock)
      throws RemoteException {
    this.around =
        new Shared.Around(
            lanes, decisions, space, peers, over -> open.remove(over.transaction(), over));
    this.id = id;
    this.clock = clock;
    for (SharedDecision each : decisions.committed()) {
      committedBefore.put(each.transaction, each);
    }
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
      reply = Refusals.ofLease(around.lanes().ask(new Command.Begin(leaseMillis)));
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
    open.computeIfAbsent(transaction, absent -> new Shared(transaction, proxy, around))
        .join(participant, crashCount);
  }

  @Override
  public int getState(long transaction) throws UnknownTransactionException, RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null && committedBefore.containsKey(transaction)) {
      return COMMITTED;
    }
    int state = shared == null ? ACTIVE : shared.state();
    return state == ACTIVE ? stateInSpace(transaction) : state;
  }

  private int stateInSpace(long transaction) throws UnknownTransactionException, RemoteException {
    return Shared.stateInSpace(around.lanes(), transaction);
  }

  @Override
  public void commit(long transaction)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null) {
      commitAlone(transaction);
      return;
    }
    shared.commit();
    switch (shared.awaitDecision(DECISION_MILLIS, true)) {
      case COMMITTED -> {}
      case ABORTED -> throw aborted();
      default -> throw undecided();
    }
  }

  @Override
  public void commit(long transaction, long waitMillis)
      throws UnknownTransactionException,
          CannotCommitException,
          TimeoutExpiredException,
          RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null) {
      commitAlone(transaction);
      return;
    }
    long begun = ticker.nanos();
    shared.commit();
    int state = shared.awaitDecision(waitMillis, false);
    boolean told = shared.awaitTold(rest(waitMillis, begun));
    if (state == ABORTED) {
      throw aborted();
    } else if (state != COMMITTED) {
      throw new TimeoutExpiredException("it is not decided yet", false);
    } else if (!told) {
      throw new TimeoutExpiredException(UNTOLD, true);
    }
  }

  /** Nobody has joined it. */
  private void commitAlone(long transaction)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    try {
      Refusals.ofTransaction(around.lanes().ask(new Command.Commit(transaction)));
    } catch (CannotAbortException e) {
      throw new CannotCommitException(e.getMessage());
    }
  }

  private long rest(long waitMillis, long begun) {
    return waitMillis - TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - begun);
  }

  private static CannotCommitException aborted() {
    return new CannotCommitException("the transaction is aborted");
  }

  private static RemoteException undecided() {
    return new RemoteException(
        "the space does not say yet whether the transaction is committed; ask for its state");
  }

  @Override
  public void abort(long transaction)
      throws UnknownTransactionException, CannotAbortException, RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null) {
      abortAlone(transaction);
      return;
    }
    abort(shared);
  }

  private static void abort(Shared shared) throws CannotAbortException, RemoteException {
    shared.abort();
    switch (shared.awaitDecision(DECISION_MILLIS, true)) {
      case ABORTED -> {}
      case COMMITTED -> throw new CannotAbortException("the transaction is committed");
      default -> throw undecided();
    }
  }

  @Override
  public void abort(long transaction, long waitMillis)
      throws UnknownTransactionException,
          CannotAbortException,
          TimeoutExpiredException,
          RemoteException {
    Shared shared = open.get(transaction);
    if (shared == null) {
      abortAlone(transaction);
      return;
    }
    long begun = ticker.nanos();
    abort(shared);
    if (!shared.awaitTold(rest(waitMillis, begun))) {
      throw new TimeoutExpiredException(UNTOLD, false);
    }
  }

  private void abortAlone(long transaction)
      throws UnknownTransactionException, CannotAbortException, RemoteException {
    try {
      Refusals.ofTransaction(around.lanes().ask(new Command.Abort(transaction)));
    } catch (CannotCommitException e) {
      throw new CannotAbortException(e.getMessage());
    }
  }

  /** Ends what the space has aborted by itself. */
  void endWhatIsGone() {
    open.values().forEach(Shared::abortIfGone);
  }

  /** Tells the participants of what was committed before this process began. */
  void tellAgain() {
    committedBefore.forEach(
        (transaction, decision) -> {
          Shared shared = new Shared(transaction, proxy, around);
          shared.committedBefore(SharedDecisions.participants(decision));
          open.put(transaction, shared);
          shared.tellEverybody();
        });
  }

  // Leases, by the transaction's number in their cookie.

  private static LeaseId lease(Uuid cookie) {
    return new LeaseId(LeaseId.Kind.TRANSACTION, "", cookie.getMostSignificantBits());
  }

  @Override
  public long renew(Uuid cookie, long millis)
      throws LeaseDeniedException, UnknownLeaseException, RemoteException {
    Reply reply =
        Refusals.ofLease(around.lanes().ask(new Command.RenewLease(lease(cookie), millis)));
    return ((Reply.Renewed) reply).millis();
  }

  @Override
  public void cancel(Uuid cookie) throws UnknownLeaseException, RemoteException {
    try {
      Refusals.ofLease(around.lanes().ask(new Command.CancelLease(lease(cookie))));
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
