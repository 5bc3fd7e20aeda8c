package io.gleaner.audit;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;

/**
 * The log of what was done to the security of the pool: who, what, on what, when, how it ended,
 * from where. The nodes that share a database write one chain, one after the other. Safe for all
 * threads.
 */
public final class SecurityLog {
  /** Its lines in the table {@code security_log}. */
  public static final Chain CHAIN = new SecurityChain();

  private final Sql sql;
  private final InstantSource clock;

  /** A line of the log. */
  public record Entry(long line, Instant at, SecurityEvent event) {}

  public SecurityLog(DataSource database, InstantSource clock) {
    this.sql = new Sql(database);
    this.clock = clock;
  }

  /**
   * Writes it; it is on disk when this returns.
   *
   * @throws SecurityRefusal STORAGE if it cannot be written: then nothing should be done either
   */
  public void record(SecurityEvent event) {
    sql.run(
        "write the security log",
        connection -> {
          record(connection, event);
          return event;
        });
  }

  /** Writes it in the caller's transaction, which others then wait for: commit soon. */
  public void record(Connection connection, SecurityEvent event) throws SQLException {
    write(connection, clock.instant(), event);
  }

  /** As above, for a time that is known. */
  public static void write(Connection connection, Instant at, SecurityEvent event)
      throws SQLException {
    ChainHead head =
        Sql.rows(
                connection,
                row -> new ChainHead(row.getLong(1), row.getString(2)),
                "select line, hash from security_log_head where id = 1 for update")
            .stream()
            .findFirst()
            .orElseThrow(
                () ->
                    new SecurityRefusal(
                        SecurityRefusal.Code.STORAGE,
                        "the security log has no head; restore the database from a backup"));
    long line = head.line() + 1;
    long atMillis = at.toEpochMilli();
    String hash = ChainLine.hash(head.hash(), line, SecurityChain.content(atMillis, event));
    Sql.update(
        connection,
        "insert into security_log (line, at_millis, deed, outcome, who, from_where, subject,"
            + " detail, previous_hash, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        line,
        atMillis,
        event.deed().name(),
        event.outcome().name(),
        event.by().name(),
        event.by().from(),
        event.subject(),
        event.detail(),
        head.hash(),
        hash);
    Sql.update(
        connection, "update security_log_head set line = ?, hash = ? where id = 1", line, hash);
  }

  /**
   * Lines before that one, newest first.
   *
   * @param before {@link Long#MAX_VALUE} for the newest of all
   */
  public List<Entry> newest(long before, int most) {
    return sql.run(
        "read the security log",
        connection ->
            List.copyOf(
                Sql.rows(
                    connection,
                    SecurityLog::entry,
                    "select line, at_millis, deed, outcome, who, from_where, subject, detail"
                        + " from security_log where line < ? order by line desc limit ?",
                    before,
                    most)));
  }

  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong(1),
        Instant.ofEpochMilli(row.getLong(2)),
        new SecurityEvent(
            Deed.valueOf(row.getString(3)),
            Outcome.valueOf(row.getString(4)),
            new Actor(row.getString(5), row.getString(6)),
            row.getString(7),
            row.getString(8)));
  }
}
