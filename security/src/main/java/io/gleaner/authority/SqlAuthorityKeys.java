package io.gleaner.authority;

import io.gleaner.sql.Sql;
import java.util.Optional;
import javax.sql.DataSource;

/** Encrypted keys as rows of {@code pool_authority_key}, for nodes that share a database. */
public final class SqlAuthorityKeys implements AuthorityKeys {
  private final Sql sql;

  public SqlAuthorityKeys(DataSource database) {
    this.sql = new Sql(database);
  }

  @Override
  public void write(Fingerprint authority, byte[] sealed) {
    sql.run(
        "keep the authority's key",
        connection -> {
          Sql.update(
              connection, "delete from pool_authority_key where fingerprint = ?", authority.hex());
          return Sql.update(
              connection,
              "insert into pool_authority_key (fingerprint, sealed) values (?, ?)",
              authority.hex(),
              sealed);
        });
  }

  @Override
  public Optional<byte[]> read(Fingerprint authority) {
    return sql.run(
        "read the authority's key",
        connection ->
            Sql.rows(
                    connection,
                    row -> row.getBytes(1),
                    "select sealed from pool_authority_key where fingerprint = ?",
                    authority.hex())
                .stream()
                .findFirst());
  }

  @Override
  public void remove(Fingerprint authority) {
    sql.run(
        "remove an authority's key",
        connection ->
            Sql.update(
                connection,
                "delete from pool_authority_key where fingerprint = ?",
                authority.hex()));
  }
}
