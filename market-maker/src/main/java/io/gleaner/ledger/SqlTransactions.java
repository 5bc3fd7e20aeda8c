package io.gleaner.ledger;

import io.gleaner.storage.Transactions;
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

  private final Transactions transactions;

  SqlTransactions(DataSource source) {
    this.transactions = new Transactions(source);
  }

  /**
   * Returns when the work is committed, hence on disk.
   *
   * @param work may be run several times, each time from the start
   */
  <T> T run(String what, Transactions.Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return transactions.run(work);
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
