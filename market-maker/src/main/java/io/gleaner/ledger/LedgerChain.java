package io.gleaner.ledger;

import io.gleaner.audit.Chain;
import io.gleaner.audit.ChainHead;
import io.gleaner.audit.ChainLine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The postings of the ledger as a chain; a posting whose sides are gone is as missing. */
final class LedgerChain implements Chain {

  /** A posting as it stands on disk, with what is stored twice. */
  record Stored(Posting posting, long payerMicros, String hash) {
    ChainLine line() {
      return new ChainLine(posting.id(), posting.previousHash(), posting.content(), hash);
    }
  }

  @Override
  public String name() {
    return "ledger";
  }

  @Override
  public List<ChainLine> after(Connection connection, long number, int most) throws SQLException {
    return stored(connection, number, most).stream().map(Stored::line).toList();
  }

  @Override
  public ChainHead head(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("SELECT posting, hash FROM ledger_head WHERE id = 1");
        ResultSet head = select.executeQuery()) {
      return head.next() ? new ChainHead(head.getLong(1), head.getString(2)) : ChainHead.NONE;
    }
  }

  /** Up to so many postings after that one, in order. */
  static List<Stored> stored(Connection connection, long afterId, int most) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(Posting.SELECT + " WHERE p.id > ? ORDER BY p.id LIMIT ?")) {
      select.setLong(1, afterId);
      select.setInt(2, most);
      List<Stored> page = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          page.add(new Stored(Posting.of(rows), rows.getLong(12), rows.getString(13)));
        }
      }
      return page;
    }
  }
}
