package io.gleaner.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Recomputes the whole ledger from its postings and says where it is wrong; on one snapshot, so it
 * may run beside writers.
 */
public final class Invariants {
  private static final int PAGE = 1_000;

  /** What must always hold. */
  public enum Rule {
    /** The sum of all accounts is zero. */
    SUM_ZERO,
    /** No account but {@code pool/issued} is negative. */
    NEVER_NEGATIVE,
    /** Every posting has two sides that cancel out. */
    BALANCED,
    /** Postings are numbered without a gap and each carries the hash of its predecessor. */
    CHAIN,
    /** A balance is the sum of its lines. */
    BALANCE,
    /** Every escrow has a user, and one that was refunded is empty. */
    ESCROW_OWNED
  }

  /** One rule that does not hold, with the place. */
  public record Violation(Rule rule, String detail) {}

  private final Connection connection;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, Long> computed = new HashMap<>();

  private Invariants(Connection connection) {
    this.connection = connection;
  }

  /**
   * Every violation, none if the ledger is right.
   *
   * @throws LedgerException if the database cannot be read
   */
  public static List<Violation> check(DataSource database) {
    try (Connection connection = database.getConnection()) {
      int isolation = connection.getTransactionIsolation();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try {
        Invariants invariants = new Invariants(connection);
        invariants.checkChain();
        invariants.checkAccounts();
        invariants.checkEscrows();
        return List.copyOf(invariants.violations);
      } finally {
        connection.rollback();
        connection.setTransactionIsolation(isolation);
      }
    } catch (SQLException e) {
      throw new LedgerException(
          LedgerException.Code.STORAGE, "the ledger cannot be read: " + e.getMessage(), e);
    }
  }

  private void checkChain() throws SQLException {
    long id = 0;
    String hash = Posting.GENESIS;
    for (List<Stored> page = page(0); !page.isEmpty(); page = page(id)) {
      for (Stored stored : page) {
        Posting posting = stored.posting();
        if (posting.id() != id + 1
            || !posting.previousHash().equals(hash)
            || !posting.hash().equals(stored.hash())) {
          report(Rule.CHAIN, "posting " + posting.id() + " (" + posting.cause() + ") is altered");
        }
        // After a break go on from what is stored, so that each break is told once.
        id = posting.id();
        hash = stored.hash();
        checkSide(posting, posting.payer(), stored.payerMicros(), posting.payerBalance());
        checkSide(posting, posting.payee(), posting.micros(), posting.payeeBalance());
        if (stored.payerMicros() + posting.micros() != 0) {
          report(Rule.BALANCED, "posting " + id + " does not cancel out");
        }
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet head = statement.executeQuery("SELECT posting, hash FROM ledger_head")) {
      if (!head.next() || head.getLong(1) != id || !head.getString(2).equals(hash)) {
        report(Rule.CHAIN, "the head does not name posting " + id + ", the last one");
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT p.id FROM ledger_posting p LEFT JOIN ledger_line l ON l.posting = p.id"
                    + " GROUP BY p.id HAVING COUNT(l.side) <> 2")) {
      while (rows.next()) {
        report(Rule.BALANCED, "posting " + rows.getLong(1) + " does not have two sides");
      }
    }
  }

  private void checkSide(Posting posting, String account, long micros, long balanceAfter) {
    long balance = computed.merge(account, micros, Long::sum);
    if (balance != balanceAfter) {
      report(
          Rule.BALANCE,
          "posting "
              + posting.id()
              + " says that "
              + account
              + " holds "
              + balanceAfter
              + ", its lines sum up to "
              + balance);
    }
    if (balance < 0 && !account.equals(Account.ISSUED)) {
      report(Rule.NEVER_NEGATIVE, account + " held " + balance + " after posting " + posting.id());
    }
  }

  private void checkAccounts() throws SQLException {
    long sum = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT name, balance_micros FROM ledger_account")) {
      while (rows.next()) {
        String account = rows.getString(1);
        long balance = rows.getLong(2);
        sum += balance;
        if (balance != computed.getOrDefault(account, 0L)) {
          report(
              Rule.BALANCE,
              account + " holds " + balance + ", its lines sum up to " + computed.get(account));
        }
        if (balance < 0 && !account.equals(Account.ISSUED)) {
          report(Rule.NEVER_NEGATIVE, account + " holds " + balance);
        }
      }
    }
    if (sum != 0) {
      report(Rule.SUM_ZERO, "all accounts together hold " + sum);
    }
  }

  private void checkEscrows() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT a.name, a.balance_micros, e.user_name, e.state FROM ledger_account a"
                    + " LEFT JOIN ledger_escrow e ON a.name = 'escrow/' || e.job_id"
                    + " WHERE a.name LIKE 'escrow/%'")) {
      while (rows.next()) {
        String account = rows.getString(1);
        String user = rows.getString(3);
        if (user == null || user.isBlank()) {
          report(Rule.ESCROW_OWNED, account + " belongs to nobody");
        } else if (EscrowState.valueOf(rows.getString(4)) == EscrowState.REFUNDED
            && rows.getLong(2) != 0) {
          report(Rule.ESCROW_OWNED, account + " was refunded and still holds " + rows.getLong(2));
        }
      }
    }
  }

  /** A posting as it stands on disk, with what is stored twice. */
  private record Stored(Posting posting, long payerMicros, String hash) {}

  private List<Stored> page(long afterId) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(Posting.SELECT + " WHERE p.id > ? ORDER BY p.id LIMIT ?")) {
      select.setLong(1, afterId);
      select.setInt(2, PAGE);
      List<Stored> page = new ArrayList<>(PAGE);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          page.add(new Stored(Posting.of(rows), rows.getLong(12), rows.getString(13)));
        }
      }
      return page;
    }
  }

  private void report(Rule rule, String detail) {
    violations.add(new Violation(rule, detail));
  }
}
