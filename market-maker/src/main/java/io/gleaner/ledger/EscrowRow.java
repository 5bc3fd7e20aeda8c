package io.gleaner.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Whose money an escrow holds and whether it still pays; read and written under the head's lock.
 */
record EscrowRow(String jobId, String user, EscrowState state) {

  static void insert(Connection connection, String jobId, String user) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO ledger_escrow (job_id, user_name, state, reason) VALUES (?, ?, ?, '')")) {
      insert.setString(1, jobId);
      insert.setString(2, user);
      insert.setString(3, EscrowState.HELD.name());
      insert.executeUpdate();
    }
  }

  static Map<String, EscrowRow> find(Connection connection, Collection<String> jobIds)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT job_id, user_name, state FROM ledger_escrow WHERE job_id = ANY(?)")) {
      select.setArray(1, connection.createArrayOf("VARCHAR", jobIds.toArray()));
      Map<String, EscrowRow> found = new HashMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.put(
              rows.getString(1),
              new EscrowRow(
                  rows.getString(1), rows.getString(2), EscrowState.valueOf(rows.getString(3))));
        }
      }
      return found;
    }
  }

  void close(Connection connection, String reason) throws SQLException {
    EscrowState closed = EscrowState.TRANSITIONS.require(state, EscrowState.Event.CLOSED);
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE ledger_escrow SET state = ?, reason = ? WHERE job_id = ?")) {
      update.setString(1, closed.name());
      update.setString(2, reason);
      update.setString(3, jobId);
      update.executeUpdate();
    }
  }
}
