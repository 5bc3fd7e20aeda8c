package io.gleaner.audit;

import io.gleaner.signing.Signer;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The table {@code chain_checkpoint}. */
final class Checkpoints {

  private Checkpoints() {}

  /** Adds it, unless the signer has signed that line before. */
  static void add(Connection connection, Checkpoint checkpoint) throws SQLException {
    Sql.update(
        connection,
        "insert into chain_checkpoint (chain, line, hash, at_millis, signer, signature)"
            + " values (?, ?, ?, ?, ?, ?) on conflict do nothing",
        checkpoint.chain(),
        checkpoint.line(),
        checkpoint.hash(),
        checkpoint.at().toEpochMilli(),
        checkpoint.signer().hex(),
        checkpoint.signature());
  }

  /** All of a chain by line, whether their signatures are right or not. */
  static List<Checkpoint> of(Connection connection, String chain) throws SQLException {
    return Sql.rows(
        connection,
        Checkpoints::checkpoint,
        "select chain, line, hash, at_millis, signer, signature from chain_checkpoint"
            + " where chain = ? order by line, signer",
        chain);
  }

  private static Checkpoint checkpoint(ResultSet row) throws SQLException {
    return new Checkpoint(
        row.getString(1),
        row.getLong(2),
        row.getString(3),
        Instant.ofEpochMilli(row.getLong(4)),
        new Signer(row.getString(5)),
        row.getString(6));
  }
}
