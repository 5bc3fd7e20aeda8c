package io.gleaner.bag;

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

  private final DataSource source;

  BagDatabase(DataSource source) {
    this.source = source;
  }

  /**
   * Returns when the work is committed, hence on disk.
   *
   * @throws BagException if the database refuses; nothing was changed then
   */
  <T> T run(String what, Work<T> work) {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        rollback(connection, e);
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new BagException(
          BagException.Code.UNAVAILABLE,
          "the database refused to " + what + "; try again: " + e.getMessage(),
          e);
    }
  }

  private static void rollback(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      cause.addSuppressed(alsoFailed);
    }
  }
}
