package io.gleaner.audit;

import io.gleaner.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The security log as a chain. */
final class SecurityChain implements Chain {

  static List<String> content(long atMillis, SecurityEvent event) {
    return List.of(
        Long.toString(atMillis),
        event.deed().name(),
        event.outcome().name(),
        event.by().name(),
        event.by().from(),
        event.subject(),
        event.detail());
  }

  @Override
  public String name() {
    return "security";
  }

  @Override
  public List<ChainLine> after(Connection connection, long number, int most) throws SQLException {
    return Sql.rows(
        connection,
        // As stored, also what is no deed any more.
        row ->
            new ChainLine(
                row.getLong(1),
                row.getString(2),
                List.of(
                    Long.toString(row.getLong(3)),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    row.getString(7),
                    row.getString(8),
                    row.getString(9)),
                row.getString(10)),
        "select line, previous_hash, at_millis, deed, outcome, who, from_where, subject, detail,"
            + " hash from security_log where line > ? order by line limit ?",
        number,
        most);
  }

  @Override
  public ChainHead head(Connection connection) throws SQLException {
    return Sql.rows(
            connection,
            row -> new ChainHead(row.getLong(1), row.getString(2)),
            "select line, hash from security_log_head where id = 1")
        .stream()
        .findFirst()
        .orElse(ChainHead.NONE);
  }
}
