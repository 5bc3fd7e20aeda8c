package io.gleaner.bag;

import io.gleaner.bag.Signers.Known;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The statements on table {@code program_signer}, for use inside a transaction. */
final class SignerTable {
  private static final String SELECT = "select subject, owner, revoked from program_signer ";

  private SignerTable() {}

  static Optional<Known> find(Connection connection, String subject) throws SQLException {
    return Sql.rows(connection, SignerTable::known, SELECT + "where subject = ?", subject).stream()
        .findFirst();
  }

  /** Ordered by owner and subject. */
  static List<Known> list(Connection connection, Optional<String> owner, int most)
      throws SQLException {
    String order = " order by owner, subject limit ?";
    return owner.isPresent()
        ? Sql.rows(
            connection, SignerTable::known, SELECT + "where owner = ?" + order, owner.get(), most)
        : Sql.rows(connection, SignerTable::known, SELECT + order, most);
  }

  static void insert(Connection connection, Known known, long atMillis) throws SQLException {
    Sql.update(
        connection,
        "insert into program_signer (subject, owner, revoked, since_millis) values (?, ?, ?, ?)",
        known.subject(),
        known.owner(),
        known.revoked(),
        atMillis);
  }

  static void revoke(Connection connection, String subject) throws SQLException {
    Sql.update(connection, "update program_signer set revoked = true where subject = ?", subject);
  }

  private static Known known(ResultSet row) throws SQLException {
    return new Known(row.getString(1), row.getString(2), row.getBoolean(3));
  }
}
