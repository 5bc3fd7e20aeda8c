package io.gleaner.space;

import java.rmi.RemoteException;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.server.ServerTransaction;

/** Where the space takes part in transactions of other managers. Safe for all threads. */
public interface ForeignManagers {

  /** Takes part in none. */
  ForeignManagers NONE =
      transaction -> {
        throw new TransactionException(
            "the transaction is of another manager; begin one by this space's own (begin), or open"
                + " the space with ForeignTransactions, see docs/jini.md");
      };

  /**
   * The number of the space's transaction that stands for the foreign one, joined first if need be.
   *
   * @throws TransactionException if the manager does not let the space take part
   */
  long numberOf(ServerTransaction transaction) throws TransactionException, RemoteException;
}
