package io.gleaner.jini;

import io.gleaner.space.Command;
import io.gleaner.space.Lanes;
import io.gleaner.space.Refusals;
import io.gleaner.space.Reply;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.jini.core.transaction.CannotAbortException;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.CannotJoinException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.CrashCountException;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction of the space with participants elsewhere. Its monitor is held while it ends; the
 * state is read without.
 */
final class Shared {
  private static final Logger LOG = LoggerFactory.getLogger(Shared.class);

  private final long transaction;
  private final Lanes lanes;
  private final Map<TransactionParticipant, Long> participants = new LinkedHashMap<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private volatile int state = TransactionConstants.ACTIVE;

  Shared(long transaction, Lanes lanes) {
    this.transaction = transaction;
    this.lanes = lanes;
  }

  long transaction() {
    return transaction;
  }

  /** A constant of {@link TransactionConstants}. */
  int state() {
    return state;
  }

  boolean isDecided() {
    return state == TransactionConstants.COMMITTED || state == TransactionConstants.ABORTED;
  }

  static int stateInSpace(Lanes lanes, long transaction)
      throws UnknownTransactionException, RemoteException {
    Reply reply = lanes.ask(new Command.TransactionState(transaction));
    try {
      Refusals.ofTransaction(reply);
    } catch (CannotCommitException | CannotAbortException e) {
      throw new RemoteException("the state was refused", e);
    }
    return ((Reply.StateOf) reply).state();
  }

  synchronized void join(TransactionParticipant participant, long crashCount)
      throws CannotJoinException, CrashCountException {
    if (state != TransactionConstants.ACTIVE) {
      throw new CannotJoinException("the end of the transaction has begun");
    }
    Long before = participants.putIfAbsent(participant, crashCount);
    if (before != null && before != crashCount) {
      throw new CrashCountException(
          "the participant has crashed since it joined, and lost its part");
    }
  }

  /** Prepares everybody and decides; on any refusal everything is aborted. */
  synchronized void commit(TransactionManager manager)
      throws UnknownTransactionException, CannotCommitException, RemoteException {
    if (state == TransactionConstants.COMMITTED) {
      return;
    }
    if (state != TransactionConstants.ACTIVE) {
      throw new CannotCommitException("the transaction is aborted");
    }
    state = TransactionConstants.VOTING;
    Reply ours = lanes.ask(new Command.Prepare(transaction));
    int vote = ours instanceof Reply.StateOf voted ? voted.state() : TransactionConstants.ABORTED;
    if (vote == TransactionConstants.ABORTED || !preparesAll(manager)) {
      var unused = lanes.ask(new Command.Abort(transaction));
      state = TransactionConstants.ABORTED;
      throw new CannotCommitException("a participant refused; the transaction is aborted");
    }
    if (vote == TransactionConstants.PREPARED
        && lanes.ask(new Command.Commit(transaction)) instanceof Reply.Refused refused) {
      state = TransactionConstants.ABORTED;
      throw new CannotCommitException("the space refused: " + refused.message());
    }
    state = TransactionConstants.COMMITTED;
  }

  private boolean preparesAll(TransactionManager manager) {
    for (TransactionParticipant participant : List.copyOf(participants.keySet())) {
      try {
        int vote = participant.prepare(manager, transaction);
        if (vote == TransactionConstants.NOTCHANGED) {
          participants.remove(participant);
        } else if (vote != TransactionConstants.PREPARED) {
          participants.remove(participant);
          return false;
        }
      } catch (UnknownTransactionException | RemoteException | RuntimeException e) {
        LOG.info("a participant of transaction {} did not prepare", transaction, e);
        return false;
      }
    }
    return true;
  }

  synchronized void abort()
      throws UnknownTransactionException, CannotAbortException, RemoteException {
    if (state == TransactionConstants.ABORTED) {
      return;
    }
    if (state == TransactionConstants.COMMITTED) {
      throw new CannotAbortException("the transaction is committed");
    }
    var unused = lanes.ask(new Command.Abort(transaction));
    state = TransactionConstants.ABORTED;
  }

  /** The space may have aborted it: its lease ran out. */
  synchronized void abortIfGone() {
    if (state == TransactionConstants.ACTIVE) {
      try {
        var unused = stateInSpace(lanes, transaction);
      } catch (UnknownTransactionException e) {
        state = TransactionConstants.ABORTED;
      } catch (RemoteException e) {
        LOG.info("the space does not say how transaction {} is", transaction, e);
      }
    }
  }

  /** Tells the decision to who has not heard; true when everybody has. */
  synchronized boolean tell(TransactionManager manager) {
    participants.keySet().removeIf(participant -> hears(participant, manager));
    if (participants.isEmpty()) {
      told.countDown();
    }
    return participants.isEmpty();
  }

  private boolean hears(TransactionParticipant participant, TransactionManager manager) {
    try {
      if (state == TransactionConstants.COMMITTED) {
        participant.commit(manager, transaction);
      } else {
        participant.abort(manager, transaction);
      }
      return true;
    } catch (UnknownTransactionException | NoSuchObjectException e) {
      return true;
    } catch (RemoteException | RuntimeException e) {
      LOG.info("a participant of transaction {} has not heard its end yet", transaction, e);
      return false;
    }
  }

  boolean awaitTold(long waitMillis) {
    try {
      return told.await(waitMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
