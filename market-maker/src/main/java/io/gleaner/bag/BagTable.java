package io.gleaner.bag;

import io.gleaner.tuple.JobState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements on table {@code bag}, for use inside a transaction. */
final class BagTable {
  private static final String COLUMNS =
      "job_id, owner, idempotency_key, content_digest, name, description, files, state, tasks,"
          + " completed, failed, budget_micros, spent_micros, submitted_millis, ended_millis, note";
  private static final int NOTE_LENGTH = 1000;

  private BagTable() {}

  static void insert(Connection connection, BagRow row) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO bag ("
                + COLUMNS
                + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      insert.setString(1, row.jobId());
      insert.setString(2, row.owner());
      insert.setString(3, row.idempotencyKey());
      insert.setString(4, row.contentDigest());
      insert.setString(5, row.name());
      insert.setString(6, row.description());
      insert.setString(7, FileList.write(row.files()));
      insert.setString(8, row.state().name());
      insert.setInt(9, row.tasks());
      insert.setInt(10, row.completed());
      insert.setInt(11, row.failed());
      insert.setLong(12, row.budgetMicros());
      insert.setLong(13, row.spentMicros());
      insert.setLong(14, row.submitted().toEpochMilli());
      setEnded(insert, 15, row);
      insert.setString(16, note(row));
      insert.executeUpdate();
    }
  }

  /** Writes what changes in the life of a bag. */
  static void update(Connection connection, BagRow row) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE bag SET state = ?, completed = ?, failed = ?, spent_micros = ?,"
                + " ended_millis = ?, note = ? WHERE job_id = ?")) {
      update.setString(1, row.state().name());
      update.setInt(2, row.completed());
      update.setInt(3, row.failed());
      update.setLong(4, row.spentMicros());
      setEnded(update, 5, row);
      update.setString(6, note(row));
      update.setString(7, row.jobId());
      update.executeUpdate();
    }
  }

  /** Lets the owner use the bag's idempotency key for another one; nobody was told of this one. */
  static void releaseKey(Connection connection, String jobId) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE bag SET idempotency_key = job_id WHERE job_id = ?")) {
      update.setString(1, jobId);
      update.executeUpdate();
    }
  }

  static void delete(Connection connection, String jobId) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM bag WHERE job_id = ?")) {
      delete.setString(1, jobId);
      delete.executeUpdate();
    }
  }

  static Optional<BagRow> find(Connection connection, String jobId) throws SQLException {
    return select(connection, "WHERE job_id = ?", jobId).stream().findFirst();
  }

  /** The bag, with its row locked until the transaction ends. */
  static Optional<BagRow> lock(Connection connection, String jobId) throws SQLException {
    return select(connection, "WHERE job_id = ? FOR UPDATE", jobId).stream().findFirst();
  }

  static Optional<BagRow> findByKey(Connection connection, String owner, String key)
      throws SQLException {
    return select(connection, "WHERE owner = ? AND idempotency_key = ?", owner, key).stream()
        .findFirst();
  }

  static List<BagRow> inState(Connection connection, JobState state) throws SQLException {
    return select(connection, "WHERE state = ?", state.name());
  }

  /** Bags that ended and may have left something in the space. */
  static List<BagRow> unswept(Connection connection) throws SQLException {
    return select(connection, "WHERE swept = FALSE AND ended_millis IS NOT NULL");
  }

  static void swept(Connection connection, String jobId) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE bag SET swept = TRUE WHERE job_id = ?")) {
      update.setString(1, jobId);
      update.executeUpdate();
    }
  }

  /** Newest first. */
  static List<BagRow> newest(Connection connection, Optional<String> owner, int limit)
      throws SQLException {
    String order = " ORDER BY submitted_millis DESC, job_id DESC LIMIT ?";
    return owner.isPresent()
        ? select(connection, "WHERE owner = ?" + order, owner.get(), limit)
        : select(connection, order, limit);
  }

  private static List<BagRow> select(Connection connection, String where, Object... values)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT " + COLUMNS + " FROM bag " + where)) {
      for (int i = 0; i < values.length; i++) {
        select.setObject(i + 1, values[i]);
      }
      List<BagRow> found = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(row(rows));
        }
      }
      return found;
    }
  }

  private static BagRow row(ResultSet rows) throws SQLException {
    long ended = rows.getLong(15);
    Optional<Instant> endedAt =
        rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ended));
    return new BagRow(
        rows.getString(1),
        rows.getString(2),
        rows.getString(3),
        rows.getString(4),
        rows.getString(5),
        rows.getString(6),
        FileList.read(rows.getString(7)),
        JobState.valueOf(rows.getString(8)),
        rows.getInt(9),
        rows.getInt(10),
        rows.getInt(11),
        rows.getLong(12),
        rows.getLong(13),
        Instant.ofEpochMilli(rows.getLong(14)),
        endedAt,
        rows.getString(16));
  }

  private static void setEnded(PreparedStatement statement, int index, BagRow row)
      throws SQLException {
    if (row.ended().isPresent()) {
      statement.setLong(index, row.ended().get().toEpochMilli());
    } else {
      statement.setNull(index, Types.BIGINT);
    }
  }

  private static String note(BagRow row) {
    return row.note().substring(0, Math.min(NOTE_LENGTH, row.note().length()));
  }
}
