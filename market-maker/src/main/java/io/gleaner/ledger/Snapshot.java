package io.gleaner.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Reads one moment of a database, beside its writers. */
final class Snapshot {

  /** What is read. */
  @FunctionalInterface
  interface Reading<T> {
    T of(Connection connection) throws SQLException;
  }

  private Snapshot() {}

  /**
   * Reads it.
   *
   * @throws LedgerException STORAGE if the database cannot be read
   */
  static <T> T read(DataSource database, Reading<T> reading) {
    try (Connection connection = database.getConnection()) {
      int isolation = connection.getTransactionIsolation();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try {
        return reading.of(connection);
      } finally {
        connection.rollback();
        connection.setTransactionIsolation(isolation);
      }
    } catch (SQLException e) {
      throw new LedgerException(
          LedgerException.Code.STORAGE, "the ledger cannot be read: " + e.getMessage(), e);
    }
  }
}
