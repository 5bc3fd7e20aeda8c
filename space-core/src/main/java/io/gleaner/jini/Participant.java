package io.gleaner.jini;

import java.rmi.RemoteException;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;

/** What a foreign manager calls. */
final class Participant implements TransactionParticipant {
  private final ForeignTransactions transactions;

  Participant(ForeignTransactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public int prepare(TransactionManager manager, long id)
      throws UnknownTransactionException, RemoteException {
    return transactions.prepare(name(manager, id));
  }

  @Override
  public void commit(TransactionManager manager, long id)
      throws UnknownTransactionException, RemoteException {
    transactions.commit(name(manager, id));
  }

  @Override
  public void abort(TransactionManager manager, long id)
      throws UnknownTransactionException, RemoteException {
    transactions.abort(name(manager, id));
  }

  @Override
  public int prepareAndCommit(TransactionManager manager, long id)
      throws UnknownTransactionException, RemoteException {
    return transactions.prepareAndCommit(name(manager, id));
  }

  private static ForeignName name(TransactionManager manager, long id)
      throws UnknownTransactionException {
    try {
      return ForeignName.of(manager, id);
    } catch (TransactionException e) {
      throw new UnknownTransactionException(e.getMessage());
    }
  }
}
