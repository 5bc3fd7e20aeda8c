package io.gleaner.verification;

import io.gleaner.sql.Sql;
import io.gleaner.tuple.ResultEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import javax.sql.DataSource;

/** What devices signed of their results, as it is kept. Safe for all threads. */
public final class Receipts {

  /**
   * One device's word for one result.
   *
   * @param certificate the serial number of the certificate with whose key it is signed
   * @param signature ECDSA in DER form, in hexadecimal digits
   */
  public record Receipt(
      int replica,
      int attempt,
      String launcherId,
      String sha256,
      String certificate,
      String signature) {}

  private final Sql sql;

  public Receipts(DataSource database) {
    this.sql = new Sql(database);
  }

  /** All that was signed for a task, also what no quorum accepted; empty if nothing was. */
  public List<Receipt> of(String jobId, int taskIndex) {
    return sql.run(
        "read what devices signed",
        connection ->
            List.copyOf(
                Sql.rows(
                    connection,
                    row ->
                        new Receipt(
                            row.getInt(1),
                            row.getInt(2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5),
                            HexFormat.of().formatHex(row.getBytes(6))),
                    "select replica, attempt, launcher_id, sha256, certificate, signature"
                        + " from result_signature where job_id = ? and task_index = ?"
                        + " order by replica, attempt, launcher_id",
                    jobId,
                    taskIndex)));
  }

  /** Keeps what is signed of these, once. */
  static void add(Connection connection, Collection<ResultEntry> results) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO result_signature VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING")) {
      for (ResultEntry result : results) {
        insert.setString(1, result.jobId);
        insert.setInt(2, result.taskIndex);
        insert.setInt(3, result.replica);
        insert.setInt(4, result.attempt);
        insert.setString(5, result.launcherId);
        insert.setString(6, result.outputDigest);
        insert.setString(7, result.certificate);
        insert.setBytes(8, result.signature);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
