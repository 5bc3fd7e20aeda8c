package io.gleaner.storage;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs work in one SQL transaction, all or nothing. Safe for all threads. */
public final class Transactions {

  /** What happens inside. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private final DataSource source;

  public Transactions(DataSource source) {
    this.source = source;
  }

  /** Returns when the work is committed, hence on disk. After an exception it may be, or not. */
  public <T> T run(Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        rollback(connection, e);
        throw e;
      }
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
