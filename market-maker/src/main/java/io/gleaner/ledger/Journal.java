package io.gleaner.ledger;

import io.gleaner.ledger.LedgerException.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The postings of one SQL transaction; for one thread.
 *
 * <p>Opening it locks the head of the chain until the transaction ends, so there is one writer at a
 * time and balances read here stay true. Nothing is written before {@link #flush}.
 */
final class Journal {
  private final Connection connection;
  private final long atMicros;
  private final long epoch;
  private long lastId;
  private String lastHash;
  private final Map<String, Long> balances = new HashMap<>();
  private final Set<String> unknownAccounts = new HashSet<>();
  private final Set<String> changedAccounts = new HashSet<>();
  private final Map<String, Posting> byCause = new HashMap<>();
  private final Set<String> recalled = new HashSet<>();
  private final List<Posting> fresh = new ArrayList<>();

  private Journal(Connection connection, long atMicros, long lastId, String lastHash, long epoch) {
    this.connection = connection;
    this.atMicros = atMicros;
    this.lastId = lastId;
    this.lastHash = lastHash;
    this.epoch = epoch;
  }

  /** Locks the head; waits for the writer before. */
  static Journal open(Connection connection, long atMicros) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT posting, hash, epoch FROM ledger_head WHERE id = 1 FOR UPDATE");
        ResultSet head = select.executeQuery()) {
      if (!head.next()) {
        throw new LedgerException(
            Code.STORAGE, "the ledger has no head; restore the database from a backup");
      }
      return new Journal(connection, atMicros, head.getLong(1), head.getString(2), head.getLong(3));
    }
  }

  /** The highest epoch that was begun. */
  long epoch() {
    return epoch;
  }

  /** Reads what these causes and accounts did and hold, in one go each. */
  void recall(Collection<String> causes, Collection<String> accounts) throws SQLException {
    recalled.addAll(causes);
    try (PreparedStatement select =
        connection.prepareStatement(Posting.SELECT + " WHERE p.cause = ANY(?)")) {
      select.setArray(1, connection.createArrayOf("VARCHAR", causes.toArray()));
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          Posting posting = Posting.of(rows);
          byCause.put(posting.cause(), posting);
        }
      }
    }
    unknownAccounts.addAll(accounts);
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT name, balance_micros FROM ledger_account WHERE name = ANY(?)")) {
      select.setArray(1, connection.createArrayOf("VARCHAR", accounts.toArray()));
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          balances.put(rows.getString(1), rows.getLong(2));
          unknownAccounts.remove(rows.getString(1));
        }
      }
    }
  }

  /** What a recalled account holds, with what was posted here. */
  long balance(String account) {
    Long balance = balances.get(account);
    if (balance == null && !unknownAccounts.contains(account)) {
      throw new IllegalStateException(account + " was not recalled");
    }
    return balance == null ? 0 : balance;
  }

  /**
   * Moves money once.
   *
   * @param micros what to move of what was asked
   * @return what moved, now or when this cause was posted before
   */
  long post(
      PostingKind kind, String cause, String payer, String payee, long askedMicros, long micros) {
    if (!recalled.contains(cause)) {
      throw new IllegalStateException(cause + " was not recalled");
    }
    Posting before = byCause.get(cause);
    if (before != null) {
      requireSame(before, payer, payee, askedMicros);
      return before.micros();
    }
    long payerBalance = balance(payer) - micros;
    if (payerBalance < 0 && !payer.equals(Account.ISSUED)) {
      throw new LedgerException(
          Code.NOT_ENOUGH_CREDITS,
          payer
              + " has "
              + Credits.text(balance(payer))
              + " credits, "
              + Credits.text(micros)
              + " are needed; add credits or ask for less");
    }
    long payeeBalance = Math.addExact(balance(payee), micros);
    Posting posting =
        new Posting(
            lastId + 1,
            kind,
            cause,
            payer,
            payee,
            askedMicros,
            micros,
            payerBalance,
            payeeBalance,
            atMicros,
            lastHash);
    balances.put(payer, payerBalance);
    balances.put(payee, payeeBalance);
    changedAccounts.add(payer);
    changedAccounts.add(payee);
    byCause.put(cause, posting);
    fresh.add(posting);
    lastId = posting.id();
    lastHash = posting.hash();
    return micros;
  }

  /** What was posted for this recalled cause, here or before. */
  Optional<Posting> before(String cause) {
    return Optional.ofNullable(byCause.get(cause));
  }

  private static void requireSame(Posting before, String payer, String payee, long askedMicros) {
    if (before.payer().equals(payer)
        && before.payee().equals(payee)
        && before.askedMicros() == askedMicros) {
      return;
    }
    throw new LedgerException(
        Code.CAUSE_REUSED,
        before.cause()
            + " was posted as "
            + before.askedMicros()
            + " micro-credits from "
            + before.payer()
            + " to "
            + before.payee()
            + ", now it asks for "
            + askedMicros
            + " from "
            + payer
            + " to "
            + payee
            + "; use a cause of its own for another payment");
  }

  /** Writes everything; the caller commits. */
  void flush() throws SQLException {
    if (fresh.isEmpty()) {
      return;
    }
    writeAccounts();
    writePostings();
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE ledger_head SET posting = ?, hash = ? WHERE id = 1")) {
      update.setLong(1, lastId);
      update.setString(2, lastHash);
      update.executeUpdate();
    }
  }

  private void writeAccounts() throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO ledger_account (balance_micros, name) VALUES (?, ?)");
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE ledger_account SET balance_micros = ? WHERE name = ?")) {
      for (String account : changedAccounts) {
        PreparedStatement write = unknownAccounts.contains(account) ? insert : update;
        write.setLong(1, balances.get(account));
        write.setString(2, account);
        write.addBatch();
      }
      insert.executeBatch();
      update.executeBatch();
    }
  }

  private void writePostings() throws SQLException {
    try (PreparedStatement posting =
            connection.prepareStatement(
                "INSERT INTO ledger_posting (id, kind, cause, asked_micros, at_micros,"
                    + " previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?)");
        PreparedStatement line =
            connection.prepareStatement(
                "INSERT INTO ledger_line (posting, side, account, micros, balance_micros)"
                    + " VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < fresh.size(); i++) {
        Posting p = fresh.get(i);
        posting.setLong(1, p.id());
        posting.setString(2, p.kind().name());
        posting.setString(3, p.cause());
        posting.setLong(4, p.askedMicros());
        posting.setLong(5, p.atMicros());
        posting.setString(6, p.previousHash());
        posting.setString(7, i + 1 < fresh.size() ? fresh.get(i + 1).previousHash() : lastHash);
        posting.addBatch();
        addLine(line, p.id(), 0, p.payer(), -p.micros(), p.payerBalance());
        addLine(line, p.id(), 1, p.payee(), p.micros(), p.payeeBalance());
      }
      posting.executeBatch();
      line.executeBatch();
    }
  }

  private static void addLine(
      PreparedStatement line, long posting, int side, String account, long micros, long balance)
      throws SQLException {
    line.setLong(1, posting);
    line.setInt(2, side);
    line.setString(3, account);
    line.setLong(4, micros);
    line.setLong(5, balance);
    line.addBatch();
  }
}
