package io.gleaner.ledger;

import io.gleaner.audit.ChainWalk;
import io.gleaner.ledger.LedgerChain.Stored;
import java.sql.Connection;
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
    /** Every escrow is that of the user who paid into it, and one that was refunded is empty. */
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
    return Snapshot.read(database, Invariants::check);
  }

  /** As above, in a transaction that sees one moment. */
  static List<Violation> check(Connection connection) throws SQLException {
    Invariants invariants = new Invariants(connection);
    invariants.checkChain();
    invariants.checkAccounts();
    invariants.checkEscrows();
    return List.copyOf(invariants.violations);
  }

  private void checkChain() throws SQLException {
    ChainWalk walk = new ChainWalk();
    for (List<Stored> page = LedgerChain.stored(connection, 0, PAGE);
        !page.isEmpty();
        page = LedgerChain.stored(connection, walk.number(), PAGE)) {
      for (Stored stored : page) {
        walk.step(stored.line()).ifPresent(wrong -> report(Rule.CHAIN, wrong));
        Posting posting = stored.posting();
        checkSide(posting, posting.payer(), stored.payerMicros(), posting.payerBalance());
        checkSide(posting, posting.payee(), posting.micros(), posting.payeeBalance());
        if (stored.payerMicros() + posting.micros() != 0) {
          report(Rule.BALANCED, "posting " + posting.id() + " does not cancel out");
        }
      }
    }
    walk.end(SqlLedger.CHAIN.head(connection)).ifPresent(wrong -> report(Rule.CHAIN, wrong));
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
                "SELECT a.name, a.balance_micros, e.user_name, e.state, payer.account"
                    + " FROM ledger_account a"
                    + " LEFT JOIN ledger_escrow e ON a.name = 'escrow/' || e.job_id"
                    + " LEFT JOIN ledger_posting p ON p.cause = 'escrow:' || e.job_id"
                    + " LEFT JOIN ledger_line payer ON payer.posting = p.id AND payer.side = 0"
                    + " WHERE a.name LIKE 'escrow/%'")) {
      while (rows.next()) {
        String account = rows.getString(1);
        String user = rows.getString(3);
        if (user == null || user.isBlank()) {
          report(Rule.ESCROW_OWNED, account + " belongs to nobody");
        } else if (!Account.user(user).equals(rows.getString(5))) {
          report(
              Rule.ESCROW_OWNED,
              account + " belongs to " + user + ", but " + rows.getString(5) + " paid into it");
        } else if (EscrowState.valueOf(rows.getString(4)) == EscrowState.REFUNDED
            && rows.getLong(2) != 0) {
          report(Rule.ESCROW_OWNED, account + " was refunded and still holds " + rows.getLong(2));
        }
      }
    }
  }

  private void report(Rule rule, String detail) {
    violations.add(new Violation(rule, detail));
  }
}
