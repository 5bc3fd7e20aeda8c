package io.gleaner.bench;

import io.gleaner.space.SpaceEngine;
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

  /**
   * What a client has.
   *
   * @param transactions the manager of the transactions to use with the space, if there is one
   * @param engine by which several operations can be outstanding, if it is one of ours
   */
  record Client(
      JavaSpace05 space, Optional<TransactionManager> transactions, Optional<SpaceEngine> engine) {}

  @Override
  void close() throws Exception;
}
