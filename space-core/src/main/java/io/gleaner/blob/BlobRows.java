package io.gleaner.blob;

import io.gleaner.storage.Transactions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Statements on the tables of blobs, each in a transaction. Safe for all threads. */
final class BlobRows {
  private final Transactions transactions;

  /** What happens in one transaction. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException, IOException;
  }

  /** Carries an exception through a transaction, which it undoes. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final IOException why;

    Refused(IOException why) {
      super(why);
      this.why = why;
    }
  }

  BlobRows(DataSource database) {
    this.transactions = new Transactions(database);
  }

  /** All or nothing; whatever the work throws undoes it. */
  <T> T run(String what, Work<T> work) throws IOException {
    try {
      return transactions.run(
          connection -> {
            try {
              return work.run(connection);
            } catch (IOException e) {
              throw new Refused(e);
            }
          });
    } catch (Refused e) {
      throw e.why;
    } catch (SQLException e) {
      throw new IOException("the database could not " + what + ": " + e.getMessage(), e);
    }
  }

  /** Carries out a statement and says how many rows it changed. */
  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, values);
      return statement.executeUpdate();
    }
  }

  /** The only number that is asked for, or the other one if there is no row. */
  static long number(Connection connection, long otherwise, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getLong(1) : otherwise;
      }
    }
  }

  static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }
}
