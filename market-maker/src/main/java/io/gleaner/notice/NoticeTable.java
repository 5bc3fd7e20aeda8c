package io.gleaner.notice;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The statements on table {@code bag_notice}. */
final class NoticeTable {
  private static final int ERROR_LENGTH = 1000;

  private NoticeTable() {}

  /** Decides a notice, once for each bag, event and channel. */
  static void insertOnce(Connection connection, Notice notice, long dueMillis) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT 1 FROM bag_notice WHERE job_id = ? AND event = ? AND channel = ?")) {
      setKey(select, 1, notice);
      try (ResultSet rows = select.executeQuery()) {
        if (rows.next()) {
          return;
        }
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO bag_notice (job_id, event, channel, target, body, state, tries,"
                + " due_millis, last_error) VALUES (?, ?, ?, ?, ?, 'WAITING', 0, ?, '')")) {
      setKey(insert, 1, notice);
      insert.setString(4, notice.target());
      insert.setString(5, notice.body());
      insert.setLong(6, dueMillis);
      insert.executeUpdate();
    }
  }

  /** A notice that waits to be sent, and whose bag it is about. */
  record Due(String owner, Notice notice) {}

  /** What is due, the longest due first, at most so many of each owner and in all. */
  static List<Due> due(Connection connection, long nowMillis, int ofOwner, int limit)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT job_id, event, channel, target, body, tries, owner FROM (SELECT n.job_id,"
                + " n.event, n.channel, n.target, n.body, n.tries, n.due_millis, b.owner,"
                + " ROW_NUMBER() OVER (PARTITION BY b.owner ORDER BY n.due_millis, n.job_id) AS"
                + " place FROM bag_notice n JOIN bag b ON b.job_id = n.job_id WHERE n.state ="
                + " 'WAITING' AND n.due_millis <= ?) waiting WHERE place <= ? ORDER BY place,"
                + " due_millis LIMIT ?")) {
      select.setLong(1, nowMillis);
      select.setInt(2, ofOwner);
      select.setInt(3, limit);
      List<Due> due = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          due.add(
              new Due(
                  row.getString(7),
                  new Notice(
                      row.getString(1),
                      row.getString(2),
                      Channel.Kind.valueOf(row.getString(3)),
                      row.getString(4),
                      row.getString(5),
                      row.getInt(6))));
        }
      }
      return due;
    }
  }

  /** Records a try: {@code state} is WAITING, SENT or GIVEN_UP. */
  static void tried(
      Connection connection, Notice notice, String state, long dueMillis, String error)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE bag_notice SET state = ?, tries = tries + 1, due_millis = ?, last_error = ?"
                + " WHERE job_id = ? AND event = ? AND channel = ?")) {
      update.setString(1, state);
      update.setLong(2, dueMillis);
      update.setString(3, error.substring(0, Math.min(ERROR_LENGTH, error.length())));
      setKey(update, 4, notice);
      update.executeUpdate();
    }
  }

  private static void setKey(PreparedStatement statement, int from, Notice notice)
      throws SQLException {
    statement.setString(from, notice.jobId());
    statement.setString(from + 1, notice.event());
    statement.setString(from + 2, notice.channel().name());
  }
}
