package io.gleaner.space;

import java.rmi.RemoteException;
import java.time.InstantSource;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.CannotAbortException;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.CannotJoinException;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;

/**
 * The manager of the space's own transactions, as Jini's helpers use it, for this process only:
 * foreign participants join those of the manager that the {@code jini} room exports. Safe for all
 * threads.
 */
final class SpaceTransactions implements TransactionManager {
  private final SpaceEngine engine;
  private final Lanes lanes;
  private final InstantSource clock;
  private final ForeignManagers foreign;

  SpaceTransactions(SpaceEngine engine, Lanes lanes, InstantSource clock, ForeignManagers foreign) {
    this.foreign = foreign;
    this.engine = engine;
    this.lanes = lanes;
    this.clock = clock;
  }

  /** The transaction's number, 0 for none. */
  long numberOf(net.jini.core.transaction.Transaction transaction)
      throws TransactionException, RemoteException {
    if (transaction == null) {
      return 0;
    }
    if (!(transaction instanceof ServerTransaction known)) {
      throw new TransactionException("the transaction is no ServerTransaction");
    }
    return known.mgr instanceof SpaceTransactions manager && manager.engine == engine
        ? known.id
        : foreign.numberOf(known);
  }

  @Override
  public Created create(long leaseMillis) throws LeaseDeniedException, RemoteException {
    try {
      Reply reply = Refusals.ofLease(lanes.ask(new Command.Begin(leaseMillis)));
      Reply.Began began = (Reply.Began) reply;
      return new Created(began.transaction(), new SpaceLease(lanes, clock, began.lease()));
    } catch (UnknownLeaseException e) {
      throw new RemoteException("a new transaction has no lease", e);
    }
  }

  @Override
  public void join(long id, TransactionParticipant participant, long crashCount)
      throws CannotJoinException {
    throw new CannotJoinException(
        "foreign participants join transactions of the manager that a node exports over JERI");
  }

  @Override
  public int getState(long id) throws UnknownTransactionException, RemoteException {
    Reply reply = lanes.ask(new Command.TransactionState(id));
    try {
      Refusals.ofTransaction(reply);
    } catch (CannotCommitException | CannotAbortException e) {
      throw new RemoteException("the state was refused", e);
    }
    return ((Reply.StateOf) reply).state();
  }

  @Override
  public void commit(long id)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    try {
      Refusals.ofTransaction(lanes.ask(new Command.Commit(id)));
    } catch (CannotAbortException e) {
      throw new CannotCommitException(e.getMessage());
    }
  }

  /** As {@link #commit(long)}: the answer comes when everybody has carried the commit out. */
  @Override
  public void commit(long id, long waitMillis)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    commit(id);
  }

  @Override
  public void abort(long id)
      throws UnknownTransactionException, CannotAbortException, RemoteException {
    try {
      Refusals.ofTransaction(lanes.ask(new Command.Abort(id)));
    } catch (CannotCommitException e) {
      throw new CannotAbortException(e.getMessage());
    }
  }

  /** As {@link #abort(long)}: the answer comes when everybody has carried the abort out. */
  @Override
  public void abort(long id, long waitMillis)
      throws UnknownTransactionException, CannotAbortException, RemoteException {
    abort(id);
  }
}
