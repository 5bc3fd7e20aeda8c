package io.gleaner.bench;

import java.util.Optional;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace05;

/** A space that is measured. For one thread; its clients are for one thread each. */
interface Peer extends AutoCloseable {
  /** Its column. */
  String name();

  /**
   * A client of its own.
   *
   * @param number from 0; the same number gives the same client
   */
  Client client(int number) throws Exception;

  /** A space and the manager of the transactions to use with it, if there is one. */
  record Client(JavaSpace05 space, Optional<TransactionManager> transactions) {}

  @Override
  void close() throws Exception;
}
