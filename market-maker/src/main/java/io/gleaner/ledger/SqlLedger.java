package io.gleaner.ledger;

import io.gleaner.audit.Chain;
import io.gleaner.ledger.LedgerException.Code;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * The ledger in SQL, see {@code db/migration/V10__ledger.sql}. Keeps no state of its own: what the
 * database says is true.
 */
public final class SqlLedger implements Ledger {
  /** Its postings. */
  public static final Chain CHAIN = new LedgerChain();

  private static final int REASON_LENGTH = 500;

  private final SqlTransactions transactions;
  private final InstantSource clock;
  private final LedgerSettings settings;

  /** The ledger in a database whose commits are durable. */
  public SqlLedger(DataSource database, InstantSource clock, LedgerSettings settings) {
    this.transactions = new SqlTransactions(database);
    this.clock = Objects.requireNonNull(clock, "clock");
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  @Override
  public void grant(String user, long micros, String cause) {
    requireAmount(micros, 1);
    if (cause == null || cause.isBlank() || cause.length() > 150) {
      throw new LedgerException(Code.INVALID, "a grant needs a cause of 1 to 150 characters");
    }
    String key = "grant:" + cause;
    String account = Account.user(user);
    transactions.run(
        "grant",
        connection -> {
          Journal journal = Journal.open(connection, nowMicros());
          journal.recall(List.of(key), List.of(Account.ISSUED, account));
          journal.post(PostingKind.GRANT, key, Account.ISSUED, account, micros, micros);
          journal.flush();
          return micros;
        });
  }

  @Override
  public void escrow(String user, String jobId, long micros) {
    requireAmount(micros, 0);
    String key = "escrow:" + jobId;
    String payer = Account.user(user);
    String payee = Account.escrow(jobId);
    transactions.run(
        "escrow",
        connection -> {
          Journal journal = Journal.open(connection, nowMicros());
          journal.recall(List.of(key), List.of(payer, payee));
          boolean known = journal.before(key).isPresent();
          journal.post(PostingKind.ESCROW, key, payer, payee, micros, micros);
          if (!known) {
            EscrowRow.insert(connection, jobId, user);
          }
          journal.flush();
          return micros;
        });
  }

  @Override
  public List<Long> settle(List<Settlement> settlements, long epoch) {
    if (settlements.isEmpty()) {
      return List.of();
    }
    Set<String> causes = new LinkedHashSet<>();
    Set<String> accounts = new LinkedHashSet<>(List.of(Account.FEES));
    Set<String> jobs = new LinkedHashSet<>();
    for (Settlement s : settlements) {
      requireAmount(s.micros(), 0);
      accounts.add(Account.escrow(s.jobId()));
      accounts.add(Account.owner(s.owner()));
      causes.add(cause("settle", s));
      causes.add(cause("fee", s));
      jobs.add(s.jobId());
    }
    return transactions.run(
        "settle",
        connection -> {
          Journal journal = Journal.open(connection, nowMicros());
          requireEpoch(journal.epoch(), epoch);
          journal.recall(causes, accounts);
          Map<String, EscrowRow> escrows = EscrowRow.find(connection, jobs);
          List<Long> paid = new ArrayList<>(settlements.size());
          for (Settlement s : settlements) {
            paid.add(settle(journal, escrows.get(s.jobId()), s));
          }
          journal.flush();
          return List.copyOf(paid);
        });
  }

  private long settle(Journal journal, EscrowRow escrow, Settlement s) {
    if (escrow == null) {
      throw new LedgerException(
          Code.INVALID, "bag " + s.jobId() + " has no escrow; escrow its budget before it is paid");
    }
    boolean pays =
        EscrowState.TRANSITIONS.next(escrow.state(), EscrowState.Event.SETTLED).isPresent();
    String payer = Account.escrow(s.jobId());
    String owner = Account.owner(s.owner());
    boolean paidBefore = journal.before(cause("settle", s)).isPresent();
    long left = pays ? Math.min(s.micros(), journal.balance(payer)) : 0;
    long paid =
        journal.post(PostingKind.SETTLE, cause("settle", s), payer, owner, s.micros(), left);
    long fee = settings.feeOf(paid);
    // The fee belongs to the moment of payment: a changed setting takes nothing afterwards.
    if (!paidBefore && fee > 0) {
      journal.post(PostingKind.FEE, cause("fee", s), owner, Account.FEES, fee, fee);
    }
    return paid;
  }

  @Override
  public long refund(String user, String jobId, String reason) {
    String key = "refund:" + jobId;
    String payer = Account.escrow(jobId);
    String payee = Account.user(user);
    return transactions.run(
        "refund",
        connection -> {
          Journal journal = Journal.open(connection, nowMicros());
          EscrowRow escrow = EscrowRow.find(connection, List.of(jobId)).get(jobId);
          if (escrow == null || !escrow.user().equals(user)) {
            throw new LedgerException(
                Code.INVALID, "user " + user + " has no escrow for bag " + jobId);
          }
          journal.recall(List.of(key), List.of(payer, payee));
          var before = journal.before(key);
          if (before.isPresent()) {
            return before.get().micros();
          }
          long left = journal.balance(payer);
          journal.post(PostingKind.REFUND, key, payer, payee, left, left);
          escrow.close(connection, shortened(reason));
          journal.flush();
          return left;
        });
  }

  @Override
  public void beginEpoch(long epoch) {
    transactions.run(
        "begin an epoch",
        connection -> {
          long current = Journal.open(connection, nowMicros()).epoch();
          if (epoch < current) {
            throw stale(epoch, current);
          }
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE ledger_head SET epoch = ? WHERE id = 1")) {
            update.setLong(1, epoch);
            return update.executeUpdate();
          }
        });
  }

  @Override
  public long epoch() {
    return single("SELECT epoch FROM ledger_head WHERE id = ?", 1);
  }

  @Override
  public long balance(String account) {
    return single("SELECT balance_micros FROM ledger_account WHERE name = ?", account);
  }

  @Override
  public Map<String, Long> balances() {
    return balances("", "SELECT name, balance_micros FROM ledger_account");
  }

  @Override
  public Map<String, Long> escrows() {
    return balances(
        Account.ESCROWS,
        "SELECT name, balance_micros FROM ledger_account"
            + " WHERE name LIKE 'escrow/%' AND balance_micros > 0");
  }

  @Override
  public List<Line> statement(String account, int limit) {
    if (limit < 1 || limit > 10_000) {
      throw new LedgerException(Code.INVALID, "limit = " + limit + ", expected 1 to 10000");
    }
    return transactions.run(
        "read a statement",
        connection -> {
          try (PreparedStatement select =
              connection.prepareStatement(
                  "SELECT p.id, p.kind, p.cause, l.account, l.micros, l.balance_micros, p.at_micros"
                      + " FROM ledger_line l JOIN ledger_posting p ON p.id = l.posting"
                      + " WHERE l.account = ? ORDER BY l.posting DESC LIMIT ?")) {
            select.setString(1, account);
            select.setInt(2, limit);
            List<Line> lines = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                lines.add(line(rows));
              }
            }
            return List.copyOf(lines);
          }
        });
  }

  private static Line line(ResultSet row) throws SQLException {
    return new Line(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getLong(5),
        row.getLong(6),
        Instant.EPOCH.plus(row.getLong(7), ChronoUnit.MICROS));
  }

  private long single(String sql, Object key) {
    return transactions.run(
        "read",
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setObject(1, key);
            try (ResultSet rows = select.executeQuery()) {
              return rows.next() ? rows.getLong(1) : 0L;
            }
          }
        });
  }

  private Map<String, Long> balances(String prefix, String sql) {
    return transactions.run(
        "read balances",
        connection -> {
          Map<String, Long> balances = new TreeMap<>();
          try (PreparedStatement select = connection.prepareStatement(sql);
              ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              balances.put(rows.getString(1).substring(prefix.length()), rows.getLong(2));
            }
          }
          return balances;
        });
  }

  private static String cause(String kind, Settlement s) {
    return kind + ":" + s.jobId() + ":" + s.taskIndex() + ":" + s.replica();
  }

  private static void requireEpoch(long current, long epoch) {
    if (epoch < current) {
      throw stale(epoch, current);
    }
    if (epoch > current) {
      throw new LedgerException(
          Code.UNKNOWN_EPOCH, "epoch " + epoch + " was not begun, the ledger is at " + current);
    }
  }

  private static LedgerException stale(long epoch, long current) {
    return new LedgerException(
        Code.STALE_EPOCH,
        "epoch "
            + epoch
            + " is over, epoch "
            + current
            + " has begun; another leader is in office");
  }

  private static void requireAmount(long micros, long least) {
    if (micros < least) {
      throw new LedgerException(
          Code.INVALID, micros + " micro-credits, expected at least " + least);
    }
  }

  private static String shortened(String reason) {
    String text = reason == null ? "" : reason;
    return text.length() <= REASON_LENGTH ? text : text.substring(0, REASON_LENGTH);
  }

  private long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }
}
