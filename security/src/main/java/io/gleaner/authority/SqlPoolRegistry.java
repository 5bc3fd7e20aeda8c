package io.gleaner.authority;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.audit.SecurityLog;
import io.gleaner.authority.Revocation.Kind;
import io.gleaner.sql.Sql;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The registry in the tables {@code pool_*}. Whoever changes what is trusted raises the version
 * first, in the same transaction: its row makes them wait for each other, so versions appear in
 * their order.
 */
public final class SqlPoolRegistry implements PoolRegistry {
  private final Sql sql;

  public SqlPoolRegistry(DataSource database) {
    this.sql = new Sql(database);
  }

  @Override
  public List<Entry> authorities() {
    return sql.run(
        "read the pool's authorities",
        connection ->
            Sql.rows(
                connection,
                row -> new Entry(Certificates.decode(row.getBytes(1)), row.getBoolean(2)),
                "select certificates, issuing from pool_authority where retired_millis is null"
                    + " order by issuing desc, since_millis desc, fingerprint"));
  }

  @Override
  public boolean found(X509Certificate own, Instant now) {
    return sql.run(
        "found the pool's authority",
        connection -> {
          raise(connection);
          boolean first =
              Sql.rows(
                      connection, row -> row.getString(1), "select fingerprint from pool_authority")
                  .isEmpty();
          if (first) {
            Entry entry = new Entry(List.of(own), true);
            insert(connection, entry, now);
            note(
                connection, now, Deed.AUTHORITY_FOUNDED, Actor.NODE, entry.fingerprint().hex(), "");
          }
          return first;
        });
  }

  @Override
  public boolean rotate(Fingerprint old, Entry next, Instant now, Actor by) {
    return sql.run(
        "rotate the pool's authority",
        connection -> {
          raise(connection);
          boolean handedOver =
              Sql.update(
                      connection,
                      "update pool_authority set issuing = false where fingerprint = ? and issuing",
                      old.hex())
                  == 1;
          if (handedOver) {
            insert(connection, next, now);
            String before = "in place of " + old.hex();
            note(connection, now, Deed.AUTHORITY_ROTATED, by, next.fingerprint().hex(), before);
          }
          return handedOver;
        });
  }

  @Override
  public boolean retire(Fingerprint authority, boolean forced, Instant now, Actor by) {
    return sql.run(
        "retire an authority",
        connection -> {
          raise(connection);
          boolean retired =
              Sql.update(
                      connection,
                      "update pool_authority set retired_millis = ?"
                          + " where fingerprint = ? and not issuing and retired_millis is null",
                      now.toEpochMilli(),
                      authority.hex())
                  == 1;
          if (retired) {
            note(connection, now, Deed.AUTHORITY_RETIRED, by, authority.hex(), "forced=" + forced);
          }
          return retired;
        });
  }

  @Override
  public Optional<Instant> lastEnd(Fingerprint authority, Instant now) {
    return sql.run(
        "read the certificates of an authority",
        connection ->
            Sql.rows(
                    connection,
                    row -> Instant.ofEpochMilli(row.getLong(1)),
                    "select c.ends_millis from pool_certificate c"
                        + " where c.authority = ? and c.ends_millis > ? and not exists"
                        + " (select 1 from pool_revocation r where r.subject = c.serial"
                        + " or r.subject = c.identity) order by c.ends_millis desc limit 1",
                    authority.hex(),
                    now.toEpochMilli())
                .stream()
                .findFirst());
  }

  @Override
  public void record(IssuedCertificate issued) {
    sql.run("record a certificate", connection -> insert(connection, issued));
  }

  @Override
  public void record(IssuedCertificate issued, SecurityEvent why, Instant now) {
    sql.run(
        "record a certificate",
        connection -> {
          int rows = insert(connection, issued);
          SecurityLog.write(connection, now, why);
          return rows;
        });
  }

  private static int insert(Connection connection, IssuedCertificate issued) throws SQLException {
    X509Certificate certificate = issued.certificate();
    MemberNames.claim(connection, issued.identity());
    return Sql.update(
        connection,
        "insert into pool_certificate (serial, identity, key_fingerprint, authority,"
            + " begins_millis, ends_millis, certificate) values (?, ?, ?, ?, ?, ?, ?)",
        issued.serial(),
        issued.identity().uri(),
        Fingerprint.of(certificate).hex(),
        issued.issuer().hex(),
        certificate.getNotBefore().toInstant().toEpochMilli(),
        certificate.getNotAfter().toInstant().toEpochMilli(),
        Certificates.der(certificate));
  }

  @Override
  public List<Holder> holders() {
    return withNames("%");
  }

  @Override
  public List<Holder> holders(String name) {
    // A name has no character that means something to "like".
    PoolIdentity.requireId(name);
    return withNames(name);
  }

  private List<Holder> withNames(String pattern) {
    return sql.run(
        "read the members",
        connection ->
            Sql.rows(
                connection,
                SqlPoolRegistry::holder,
                "select c.identity, min(c.begins_millis), max(c.ends_millis), r.kind, r.subject,"
                    + " r.revoked_millis, r.reason from pool_certificate c"
                    + " left join pool_revocation r on r.subject = c.identity"
                    + " where c.identity like ? group by c.identity, r.kind, r.subject,"
                    + " r.revoked_millis, r.reason order by c.identity",
                "gleaner://%/%/%/" + pattern));
  }

  private static Holder holder(ResultSet row) throws SQLException {
    return new Holder(
        MemberNames.stored(row.getString(1)),
        Instant.ofEpochMilli(row.getLong(2)),
        Instant.ofEpochMilli(row.getLong(3)),
        row.getString(4) == null
            ? Optional.empty()
            : Optional.of(
                new Revocation(
                    Kind.valueOf(row.getString(4)),
                    row.getString(5),
                    Instant.ofEpochMilli(row.getLong(6)),
                    row.getString(7))));
  }

  @Override
  public Optional<IssuedCertificate> latest(PoolIdentity identity, Fingerprint key) {
    return first(
        "identity = ? and key_fingerprint = ? order by ends_millis desc limit 1",
        identity.uri(),
        key.hex());
  }

  @Override
  public Optional<IssuedCertificate> certificate(String serial) {
    return first("serial = ?", serial);
  }

  private Optional<IssuedCertificate> first(String condition, Object... values) {
    return sql.run(
        "read a certificate",
        connection ->
            Sql.rows(
                    connection,
                    row ->
                        new IssuedCertificate(
                            PoolIdentity.parse(row.getString(1)).orElseThrow(),
                            Certificates.decode(row.getBytes(2)).get(0),
                            Fingerprint.parse(row.getString(3))),
                    "select identity, certificate, authority from pool_certificate where "
                        + condition,
                    values)
                .stream()
                .findFirst());
  }

  @Override
  public Optional<X509Certificate> authority(Fingerprint fingerprint) {
    return sql.run(
        "read the certificate of an authority",
        connection ->
            Sql.rows(
                    connection,
                    row -> Certificates.decode(row.getBytes(1)).get(0),
                    "select certificates from pool_authority where fingerprint = ?",
                    fingerprint.hex())
                .stream()
                .findFirst());
  }

  @Override
  public long revoke(Revocation revocation, Actor by) {
    return sql.run(
        "record a revocation",
        connection -> {
          long version = raise(connection);
          if (ending(connection, revocation.subject()).isEmpty()) {
            Sql.update(
                connection,
                "insert into pool_revocation (version, kind, subject, revoked_millis, reason)"
                    + " values (?, ?, ?, ?, ?)",
                version,
                revocation.kind().name(),
                revocation.subject(),
                revocation.at().toEpochMilli(),
                revocation.reason());
            note(
                connection,
                revocation.at(),
                Deed.REVOKED,
                by,
                revocation.subject(),
                "reason=" + revocation.reason());
          }
          return version;
        });
  }

  @Override
  public Optional<Revocation> revocationOf(String serial, PoolIdentity identity) {
    return sql.run(
        "read a revocation",
        connection -> {
          Optional<Revocation> found = ending(connection, serial);
          return found.isPresent() ? found : ending(connection, identity.uri());
        });
  }

  @Override
  public Changes changesSince(long version) {
    return sql.run(
        "read the revocations",
        connection -> {
          long now = version(connection);
          // What came after this version is seen the next time.
          return new Changes(
              now,
              now == version
                  ? List.of()
                  : Sql.rows(
                      connection,
                      SqlPoolRegistry::revocation,
                      "select kind, subject, revoked_millis, reason from pool_revocation"
                          + " where version > ? and version <= ? order by version",
                      version,
                      now));
        });
  }

  private static void note(
      Connection connection, Instant at, Deed deed, Actor by, String subject, String detail)
      throws SQLException {
    SecurityLog.write(connection, at, SecurityEvent.done(deed, by, subject, detail));
  }

  private static long raise(Connection connection) throws SQLException {
    Sql.update(connection, "update pool_trust set version = version + 1 where one_row = 1");
    return version(connection);
  }

  private static long version(Connection connection) throws SQLException {
    return Sql.rows(
            connection, row -> row.getLong(1), "select version from pool_trust where one_row = 1")
        .get(0);
  }

  private static void insert(Connection connection, Entry entry, Instant now) throws SQLException {
    Sql.update(
        connection,
        "insert into pool_authority (fingerprint, certificates, issuing, since_millis)"
            + " values (?, ?, ?, ?)",
        entry.fingerprint().hex(),
        Certificates.encode(entry.certificates()),
        entry.issuing(),
        now.toEpochMilli());
  }

  static Optional<Revocation> ending(Connection connection, String subject) throws SQLException {
    return Sql.rows(
            connection,
            SqlPoolRegistry::revocation,
            "select kind, subject, revoked_millis, reason from pool_revocation where subject = ?",
            subject)
        .stream()
        .findFirst();
  }

  private static Revocation revocation(ResultSet row) throws SQLException {
    return new Revocation(
        Kind.valueOf(row.getString(1)),
        row.getString(2),
        Instant.ofEpochMilli(row.getLong(3)),
        row.getString(4));
  }
}
