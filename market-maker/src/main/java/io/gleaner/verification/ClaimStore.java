package io.gleaner.verification;

import io.gleaner.tuple.ResultEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Claims on disk, see {@code db/migration/V12__verification.sql}. Safe for all threads. */
final class ClaimStore {
  private static final String SELECT =
      "SELECT job_id, task_index, replica, attempt, launcher_id, owner, output_digest,"
          + " output_bytes, micro_units, micros_per_unit, elapsed_millis FROM verification_claim";

  private final DataSource database;

  ClaimStore(DataSource database) {
    this.database = database;
  }

  /** What was claimed for the tasks so far. */
  List<Claim> of(Collection<TaskKey> tasks) {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                SELECT + " WHERE job_id = ? AND task_index = ? ORDER BY replica")) {
      List<Claim> found = new ArrayList<>();
      for (TaskKey task : tasks) {
        select.setString(1, task.jobId());
        select.setInt(2, task.taskIndex());
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            found.add(claim(rows));
          }
        }
      }
      return found;
    } catch (SQLException e) {
      throw refused("read claims", e);
    }
  }

  /** All that a launcher claimed of bags that are open or ended a moment ago. */
  List<Claim> ofLauncher(String launcherId) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(SELECT + " WHERE launcher_id = ?")) {
      select.setString(1, launcherId);
      List<Claim> found = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(claim(rows));
        }
      }
      return found;
    } catch (SQLException e) {
      throw refused("read claims", e);
    }
  }

  /** A launcher with claims, and who is paid for them. */
  record Claimant(String launcherId, String owner) {}

  /** Whoever has claims. */
  Set<Claimant> claimants() {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT DISTINCT launcher_id, owner FROM verification_claim")) {
      Set<Claimant> claimants = new HashSet<>();
      while (rows.next()) {
        claimants.add(new Claimant(rows.getString(1), rows.getString(2)));
      }
      return claimants;
    } catch (SQLException e) {
      throw refused("read claims", e);
    }
  }

  /** Removes these claims; each is known by its task and replica. */
  void remove(Collection<Claim> claims) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM verification_claim"
                    + " WHERE job_id = ? AND task_index = ? AND replica = ?")) {
      for (Claim claim : claims) {
        delete.setString(1, claim.task().jobId());
        delete.setInt(2, claim.task().taskIndex());
        delete.setInt(3, claim.replica());
        delete.executeUpdate();
      }
    } catch (SQLException e) {
      throw refused("remove claims", e);
    }
  }

  /**
   * Writes all or none; returns when they are on disk.
   *
   * @param signed the results of those that are signed
   */
  void add(Collection<Claim> claims, Collection<ResultEntry> signed) {
    if (claims.isEmpty()) {
      return;
    }
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO verification_claim VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
        for (Claim claim : claims) {
          insert.setString(1, claim.task().jobId());
          insert.setInt(2, claim.task().taskIndex());
          insert.setInt(3, claim.replica());
          insert.setInt(4, claim.attempt());
          insert.setString(5, claim.launcherId());
          insert.setString(6, claim.owner());
          insert.setString(7, claim.outputDigest());
          insert.setLong(8, claim.outputBytes());
          insert.setLong(9, claim.microUnits());
          insert.setLong(10, claim.microsPerUnit());
          insert.setLong(11, claim.elapsedMillis());
          insert.addBatch();
        }
        insert.executeBatch();
        if (!signed.isEmpty()) {
          Receipts.add(connection, signed);
        }
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
    } catch (SQLException e) {
      throw refused("write claims", e);
    }
  }

  /** The bags that have claims. */
  Set<String> jobs() {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT DISTINCT job_id FROM verification_claim")) {
      Set<String> jobs = new HashSet<>();
      while (rows.next()) {
        jobs.add(rows.getString(1));
      }
      return jobs;
    } catch (SQLException e) {
      throw refused("read claims", e);
    }
  }

  /** Removes the claims of a bag that ended. */
  void forget(String jobId) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete =
            connection.prepareStatement("DELETE FROM verification_claim WHERE job_id = ?")) {
      delete.setString(1, jobId);
      delete.executeUpdate();
    } catch (SQLException e) {
      throw refused("remove claims", e);
    }
  }

  private static Claim claim(ResultSet row) throws SQLException {
    return new Claim(
        new TaskKey(row.getString(1), row.getInt(2)),
        row.getInt(3),
        row.getInt(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11));
  }

  private static VerificationException refused(String what, SQLException e) {
    return new VerificationException(
        VerificationException.Code.STORAGE,
        "the database refused to " + what + ": " + e.getMessage(),
        e);
  }
}
