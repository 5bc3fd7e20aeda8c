package io.gleaner.sql;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Transactions of this module; safe for all threads. */
public final class Sql {
  /** Something done in one transaction. */
  @FunctionalInterface
  public interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  /** Makes a value of the row at which the result set stands. */
  @FunctionalInterface
  public interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  private final DataSource database;

  public Sql(DataSource database) {
    this.database = database;
  }

  /**
   * Does the work in one transaction, which is rolled back when it throws.
   *
   * @param what it does, for the message: "the database could not ..."
   * @throws SecurityRefusal {@link Code#STORAGE} if the database refuses or cannot be reached
   */
  public <T> T run(String what, Work<T> work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        T result = work.in(connection);
        connection.commit();
        done = true;
        return result;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new SecurityRefusal(
          Code.STORAGE, "the database could not " + what + ": " + e.getMessage(), e);
    }
  }

  /** Runs a statement that changes rows; returns how many. */
  public static int update(Connection connection, String statement, Object... values)
      throws SQLException {
    try (PreparedStatement prepared = prepare(connection, statement, values)) {
      return prepared.executeUpdate();
    }
  }

  /** All rows of a query. */
  public static <T> List<T> rows(Connection connection, Row<T> row, String query, Object... values)
      throws SQLException {
    try (PreparedStatement prepared = prepare(connection, query, values);
        ResultSet results = prepared.executeQuery()) {
      List<T> all = new ArrayList<>();
      while (results.next()) {
        all.add(row.of(results));
      }
      return all;
    }
  }

  private static PreparedStatement prepare(
      Connection connection, String statement, Object... values) throws SQLException {
    PreparedStatement prepared = connection.prepareStatement(statement);
    try {
      for (int i = 0; i < values.length; i++) {
        prepared.setObject(i + 1, values[i]);
      }
      return prepared;
    } catch (SQLException e) {
      prepared.close();
      throw e;
    }
  }
}
