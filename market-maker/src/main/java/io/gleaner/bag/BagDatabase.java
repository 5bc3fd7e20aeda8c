package io.gleaner.bag;

import io.gleaner.storage.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs work on the bags' tables in one SQL transaction, all or nothing. Safe for all threads. */
final class BagDatabase {

  /** What happens inside. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private final Transactions transactions;

  BagDatabase(DataSource source) {
    this.transactions = new Transactions(source);
  }

  /**
   * Returns when the work is committed, hence on disk.
   *
   * @throws BagException if the database refuses; nothing was changed then, unless the answer to
   *     the commit was lost
   */
  <T> T run(String what, Work<T> work) {
    try {
      return transactions.run(work::run);
    } catch (SQLException e) {
      throw new BagException(
          BagException.Code.UNAVAILABLE,
          "the database refused to " + what + "; try again: " + e.getMessage(),
          e);
    }
  }
}
