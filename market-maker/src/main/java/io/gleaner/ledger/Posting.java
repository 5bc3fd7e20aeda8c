package io.gleaner.ledger;

import io.gleaner.audit.ChainLine;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * One movement from one account to another, as it stands in the chain.
 *
 * @param askedMicros what the caller asked for
 * @param micros what moved, at most that
 * @param payerBalance the payer's balance after it
 * @param payeeBalance the payee's balance after it
 */
record Posting(
    long id,
    PostingKind kind,
    String cause,
    String payer,
    String payee,
    long askedMicros,
    long micros,
    long payerBalance,
    long payeeBalance,
    long atMicros,
    String previousHash) {

  /**
   * Reads whole postings that have two sides; columns 12 and 13 are the payer's amount and the
   * stored hash.
   */
  static final String SELECT =
      "SELECT p.id, p.kind, p.cause, payer.account, payee.account, p.asked_micros, payee.micros,"
          + " payer.balance_micros, payee.balance_micros, p.at_micros, p.previous_hash,"
          + " payer.micros, p.hash FROM ledger_posting p"
          + " JOIN ledger_line payer ON payer.posting = p.id AND payer.side = 0"
          + " JOIN ledger_line payee ON payee.posting = p.id AND payee.side = 1";

  /** The row of {@link #SELECT}. */
  static Posting of(ResultSet row) throws SQLException {
    return new Posting(
        row.getLong(1),
        PostingKind.valueOf(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10),
        row.getString(11));
  }

  /** What it hashes to, see {@link ChainLine#hash}. */
  String hash() {
    return ChainLine.hash(previousHash, id, content());
  }

  /** Its fields but those that chain it. */
  List<String> content() {
    return List.of(
        kind.name(),
        cause,
        payer,
        payee,
        Long.toString(askedMicros),
        Long.toString(micros),
        Long.toString(payerBalance),
        Long.toString(payeeBalance),
        Long.toString(atMicros));
  }
}
