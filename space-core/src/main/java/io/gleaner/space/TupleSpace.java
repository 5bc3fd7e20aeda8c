package io.gleaner.space;

import java.time.Duration;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace05;

/**
 * One named space: the JavaSpaces operations and the transactions to use with them (D1, D5). Safe
 * for all threads.
 */
public interface TupleSpace extends JavaSpace05, AutoCloseable {

  /** The manager of this space's own transactions. */
  TransactionManager transactions();

  /**
   * Begins a transaction of this space.
   *
   * @param lease how long it lives unless renewed; the lease is in the result
   * @throws LeaseDeniedException if the lease asked for is not granted
   */
  Transaction.Created begin(Duration lease) throws LeaseDeniedException, java.rmi.RemoteException;

  /** Ends this client's session: its waits, registrations and open transactions with it. */
  @Override
  void close();
}
