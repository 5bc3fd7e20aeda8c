package io.gleaner.identity;

import io.gleaner.audit.SecurityLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A real H2 database in memory with the tables of this module, and clocks that move when told. */
public final class TestIdentity implements InstantSource {
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private long nanos;
  private final JdbcDataSource database = new JdbcDataSource();

  private TestIdentity() {
    database.setURL(
        "jdbc:h2:mem:"
            + UUID.randomUUID()
            + ";MODE=PostgreSQL;DB_CLOSE_DELAY=-1;INIT=create schema if not exists gleaner\\;set schema gleaner");
  }

  public static TestIdentity fresh() throws SQLException {
    TestIdentity identity = new TestIdentity();
    for (String script :
        List.of(
            "V1__identity",
            "V17__authority",
            "V18__enrolment",
            "V21__audit",
            "V22__scoped_tokens",
            "V23__member_names",
            "V27__inviters",
            "V28__provider_users")) {
      identity.execute("runscript from 'classpath:db/migration/" + script + ".sql'");
    }
    return identity;
  }

  public DataSource database() {
    return database;
  }

  /** The security log in this database. */
  public SecurityLog log() {
    return new SecurityLog(database, this);
  }

  /** Does something to the database behind everybody's back; returns how many rows it changed. */
  public int execute(String statement) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement each = connection.createStatement()) {
      each.execute(statement);
      return each.getUpdateCount();
    }
  }

  @Override
  public Instant instant() {
    return now;
  }

  public void passes(Duration time) {
    now = now.plus(time);
    nanos += time.toNanos();
  }

  /** Somebody sets the clock of the wall; no time passes. */
  public void jumps(Duration time) {
    now = now.plus(time);
  }

  /** The clock that nobody sets. */
  public long nanos() {
    return nanos;
  }
}
