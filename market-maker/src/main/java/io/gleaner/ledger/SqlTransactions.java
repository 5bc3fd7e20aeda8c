package io.gleaner.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work in one SQL transaction, all or nothing, and again when another transaction was in the
 * way. Safe for all threads.
 */
final class SqlTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(SqlTransactions.class);
  private static final int TRIES = 5;

  /** What happens inside; may be run several times, each time from the start. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private final DataSource source;

  SqlTransactions(DataSource source) {
    this.source = source;
  }

  /** Returns when the work is committed, hence on disk. */
  <T> T run(String what, Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(work);
      } catch (SQLException e) {
        if (attempt == TRIES || !another(e)) {
          throw new LedgerException(
              LedgerException.Code.STORAGE,
              "the database refused to " + what + " after " + attempt + " tries: " + e.getMessage(),
              e);
        }
        LOG.debug("{}: try {} met another transaction, again", what, attempt, e);
      }
    }
  }

  private <T> T once(Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        try {
          connection.rollback();
        } catch (SQLException alsoFailed) {
          e.addSuppressed(alsoFailed);
        }
        throw e;
      }
    }
  }

  /** Whether it failed through another transaction: serialisation, deadlock, wait for a lock. */
  private static boolean another(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return e instanceof SQLTransientException
        || state.startsWith("40")
        || state.equals("55P03")
        || state.equals("HYT00")
        || state.equals("90131");
  }
}
