package io.gleaner.bag;

import io.gleaner.bag.Bags.Placed;
import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.description.TaskExpansion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements on table {@code task_outcome}, for use inside a transaction. */
final class OutcomeTable {
  private static final String COLUMNS =
      "task_index, outcome, launcher_id, output_digest, output_bytes, metered_micro_units,"
          + " paid_micros, elapsed_millis, reason, log_tail, ended_millis";
  private static final int REASON_LENGTH = 2000;
  private static final int LOG_LENGTH = 64 * 1024;

  private OutcomeTable() {}

  static boolean has(Connection connection, String jobId, int taskIndex) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT 1 FROM task_outcome WHERE job_id = ? AND task_index = ?")) {
      select.setString(1, jobId);
      select.setInt(2, taskIndex);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next();
      }
    }
  }

  static void insert(Connection connection, String jobId, int place, TaskOutcome outcome)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO task_outcome (job_id, "
                + COLUMNS
                + ", place) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      insert.setString(1, jobId);
      insert.setInt(2, outcome.taskIndex());
      insert.setString(3, outcome.outcome());
      insert.setString(4, outcome.launcherId());
      insert.setString(5, outcome.outputDigest().orElse(null));
      insert.setLong(6, outcome.outputBytes());
      insert.setLong(7, outcome.meteredMicroUnits());
      insert.setLong(8, outcome.paidMicros());
      insert.setLong(9, outcome.elapsedMillis());
      insert.setString(10, first(outcome.reason(), REASON_LENGTH));
      insert.setString(11, last(outcome.logTail(), LOG_LENGTH));
      insert.setLong(12, outcome.ended().toEpochMilli());
      insert.setInt(13, place);
      insert.executeUpdate();
    }
  }

  /** Outcomes by index greater than {@code afterIndex}, in the order of the index. */
  static List<TaskOutcome> after(
      Connection connection, String jobId, int afterIndex, int limit, TaskExpansion tasks)
      throws SQLException {
    return select(connection, "task_index", jobId, afterIndex, limit, tasks).stream()
        .map(Placed::outcome)
        .toList();
  }

  /** Outcomes by place greater than {@code afterPlace}, in the order in which they came. */
  static List<Placed> completions(
      Connection connection, String jobId, int afterPlace, int limit, TaskExpansion tasks)
      throws SQLException {
    return select(connection, "place", jobId, afterPlace, limit, tasks);
  }

  private static List<Placed> select(
      Connection connection, String by, String jobId, int after, int limit, TaskExpansion tasks)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            ("SELECT %s, place FROM task_outcome WHERE job_id = ? AND %s > ?"
                    + " ORDER BY %s LIMIT ?")
                .formatted(COLUMNS, by, by))) {
      select.setString(1, jobId);
      select.setInt(2, after);
      select.setInt(3, limit);
      List<Placed> outcomes = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          outcomes.add(new Placed(rows.getInt(12), outcome(rows, tasks)));
        }
      }
      return outcomes;
    }
  }

  private static TaskOutcome outcome(ResultSet row, TaskExpansion tasks) throws SQLException {
    int index = row.getInt(1);
    return new TaskOutcome(
        index,
        tasks.task(index).parameters(),
        row.getString(2),
        row.getString(3),
        Optional.ofNullable(row.getString(4)),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getString(9),
        row.getString(10),
        Instant.ofEpochMilli(row.getLong(11)));
  }

  private static String first(String text, int length) {
    return text.substring(0, Math.min(length, text.length()));
  }

  private static String last(String text, int length) {
    return text.substring(Math.max(0, text.length() - length));
  }
}
