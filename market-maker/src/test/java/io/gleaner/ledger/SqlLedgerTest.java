package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.gleaner.ledger.Ledger.Settlement;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SqlLedgerTest {
  @TempDir Path folder;
  private Database database;
  private Ledger ledger;

  @BeforeEach
  void open() {
    database = Database.open(StorageSettings.in(folder));
    ledger = ledgerWithFee(0);
    ledger.grant("alice", 1_000, "first");
  }

  @AfterEach
  void theLedgerIsRightAtTheEnd() {
    try (Database closing = database) {
      assertThat(Invariants.check(closing.dataSource())).isEmpty();
    }
  }

  @Test
  void aBagIsPaidFromItsEscrowAndTheRestReturns() {
    ledger.escrow("alice", "bag", 600);
    assertThat(ledger.settle(List.of(pay(0, "bob", 250), pay(1, "carol", 100)), 0))
        .containsExactly(250L, 100L);
    assertThat(ledger.escrows()).containsExactly(Map.entry("bag", 250L));
    assertThat(ledger.refund("alice", "bag", "done")).isEqualTo(250);

    assertThat(ledger.balances())
        .containsOnly(
            Map.entry("pool/issued", -1_000L),
            Map.entry("user/alice", 650L),
            Map.entry("escrow/bag", 0L),
            Map.entry("owner/bob", 250L),
            Map.entry("owner/carol", 100L));
    assertThat(ledger.escrows()).isEmpty();
  }

  @Test
  void theSameCauseAnswersTheSameAndMovesNothingMore() {
    for (int again = 0; again < 3; again++) {
      ledger.grant("alice", 1_000, "first");
      ledger.escrow("alice", "bag", 600);
      assertThat(ledger.settle(List.of(pay(0, "bob", 250), pay(0, "bob", 250)), 0))
          .containsExactly(250L, 250L);
    }
    assertThat(ledger.refund("alice", "bag", "done")).isEqualTo(350);
    assertThat(ledger.refund("alice", "bag", "again")).isEqualTo(350);
    // Also when the answer was lost and the escrow is closed by now.
    assertThat(ledger.settle(List.of(pay(0, "bob", 250)), 0)).containsExactly(250L);

    assertThat(ledger.balance("user/alice")).isEqualTo(750);
    assertThat(ledger.balance("owner/bob")).isEqualTo(250);
  }

  @Test
  void theSameCauseWithAnotherAmountOrPayeeIsRefused() {
    ledger.escrow("alice", "bag", 600);
    ledger.settle(List.of(pay(0, "bob", 250)), 0);

    refused(LedgerException.Code.CAUSE_REUSED, () -> ledger.grant("alice", 2_000, "first"));
    refused(LedgerException.Code.CAUSE_REUSED, () -> ledger.escrow("alice", "bag", 601));
    refused(LedgerException.Code.CAUSE_REUSED, () -> ledger.settle(List.of(pay(0, "bob", 251)), 0));
    refused(LedgerException.Code.CAUSE_REUSED, () -> ledger.settle(List.of(pay(0, "eve", 250)), 0));
    assertThat(ledger.balance("escrow/bag")).isEqualTo(350);
  }

  @Test
  void aRefusedElementRefusesItsWholeBatch() {
    ledger.escrow("alice", "bag", 600);
    ledger.settle(List.of(pay(0, "bob", 250)), 0);

    refused(
        LedgerException.Code.CAUSE_REUSED,
        () -> ledger.settle(List.of(pay(1, "bob", 10), pay(0, "bob", 999)), 0));
    assertThat(ledger.balance("owner/bob")).isEqualTo(250);
  }

  @Test
  void creditsThatAreNotThereCannotBeSpent() {
    refused(LedgerException.Code.NOT_ENOUGH_CREDITS, () -> ledger.escrow("alice", "bag", 1_001));
    refused(LedgerException.Code.NOT_ENOUGH_CREDITS, () -> ledger.escrow("nobody", "bag", 1));
    assertThat(ledger.balance("user/alice")).isEqualTo(1_000);
    assertThat(ledger.escrows()).isEmpty();

    ledger.escrow("alice", "bag", 1_000);
    assertThat(ledger.settle(List.of(pay(0, "bob", 900), pay(1, "bob", 900)), 0))
        .as("the second gets what is left")
        .containsExactly(900L, 100L);
  }

  @Test
  void aRefundedEscrowPaysNothing() {
    ledger.escrow("alice", "bag", 600);
    ledger.refund("alice", "bag", "cancelled");
    assertThat(ledger.settle(List.of(pay(0, "bob", 250)), 0)).containsExactly(0L);
    refused(LedgerException.Code.INVALID, () -> ledger.refund("eve", "bag", "mine"));
  }

  @Test
  void aLeaderWhoseEpochIsOverPaysNothing() {
    ledger.escrow("alice", "bag", 600);
    ledger.beginEpoch(3);
    ledger.settle(List.of(pay(0, "bob", 1)), 3);
    ledger.beginEpoch(4);

    refused(LedgerException.Code.STALE_EPOCH, () -> ledger.settle(List.of(pay(1, "bob", 1)), 3));
    refused(LedgerException.Code.STALE_EPOCH, () -> ledger.beginEpoch(3));
    refused(LedgerException.Code.UNKNOWN_EPOCH, () -> ledger.settle(List.of(pay(1, "bob", 1)), 5));
    assertThat(ledger.epoch()).isEqualTo(4);
    assertThat(ledger.balance("owner/bob")).isEqualTo(1);
  }

  @Test
  void thePoolTakesItsFeeFromTheOwnersPartOnce() {
    Ledger withFee = ledgerWithFee(25);
    withFee.escrow("alice", "bag", 600);
    withFee.settle(List.of(pay(0, "bob", 400)), 0);
    // Another fee afterwards changes neither what was paid nor what is answered.
    assertThat(ledgerWithFee(100).settle(List.of(pay(0, "bob", 400)), 0)).containsExactly(400L);

    assertThat(withFee.balance("owner/bob")).isEqualTo(390);
    assertThat(withFee.balance("pool/fees")).isEqualTo(10);
  }

  @Test
  void aStatementTellsEveryLineNewestFirst() {
    ledger.escrow("alice", "bag", 600);
    ledger.refund("alice", "bag", "done");

    assertThat(ledger.statement("user/alice", 2))
        .extracting(Ledger.Line::kind, Ledger.Line::micros, Ledger.Line::balanceMicros)
        .containsExactly(tuple("REFUND", 600L, 1_000L), tuple("ESCROW", -600L, 400L));
  }

  @Test
  void namesThatCouldBeTakenForOthersAreRefused() {
    for (String name : List.of("", " ", "a/b", "a:b", "a\nb", "x".repeat(101))) {
      refused(LedgerException.Code.INVALID, () -> ledger.grant(name, 1, "x"));
      refused(LedgerException.Code.INVALID, () -> ledger.escrow("alice", name, 1));
    }
    refused(LedgerException.Code.INVALID, () -> ledger.grant("alice", 0, "x"));
    refused(LedgerException.Code.INVALID, () -> ledger.escrow("alice", "bag", -1));
  }

  @Test
  void eightThreadsThatSettleTheSameAndOtherTasksPayEachOnce() throws Exception {
    ledger.grant("alice", 1_000_000, "more");
    ledger.escrow("alice", "bag", 1_000_000);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<List<Long>>> work = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int own = 1_000 * (thread + 1);
        work.add(
            () -> {
              List<Long> paid = new ArrayList<>();
              for (int task = 0; task < 25; task++) {
                List<Settlement> batch = List.of(pay(task, "bob", 7), pay(own + task, "carol", 3));
                paid.addAll(ledger.settle(batch, 0));
              }
              return paid;
            });
      }
      for (Future<List<Long>> result : threads.invokeAll(work)) {
        assertThat(result.get()).hasSize(50).containsOnly(7L, 3L);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(ledger.balance("owner/bob")).isEqualTo(25 * 7);
    assertThat(ledger.balance("owner/carol")).isEqualTo(8 * 25 * 3);
  }

  @Test
  void whatSomebodyAlteredBehindTheLedgersBackIsFound() throws SQLException {
    ledger.escrow("alice", "bag", 600);
    ledger.settle(List.of(pay(0, "bob", 250)), 0);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE ledger_posting SET asked_micros = 999 WHERE id = 2");
      assertThat(Invariants.check(database.dataSource()))
          .extracting(Invariants.Violation::rule)
          .containsExactly(Invariants.Rule.CHAIN);
      statement.execute("UPDATE ledger_posting SET asked_micros = 600 WHERE id = 2");

      statement.execute("UPDATE ledger_account SET balance_micros = 251 WHERE name = 'owner/bob'");
      assertThat(Invariants.check(database.dataSource()))
          .extracting(Invariants.Violation::rule)
          .containsExactlyInAnyOrder(Invariants.Rule.BALANCE, Invariants.Rule.SUM_ZERO);
      statement.execute("UPDATE ledger_account SET balance_micros = 250 WHERE name = 'owner/bob'");

      statement.execute("UPDATE ledger_escrow SET user_name = ''");
      assertThat(Invariants.check(database.dataSource()))
          .extracting(Invariants.Violation::rule)
          .containsExactly(Invariants.Rule.ESCROW_OWNED);
      statement.execute("UPDATE ledger_escrow SET user_name = 'alice'");

      assertThatThrownBy(
              () ->
                  statement.execute(
                      "UPDATE ledger_account SET balance_micros = -1"
                          + " WHERE name = 'owner/bob'"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("never_negative");
    }
  }

  private Ledger ledgerWithFee(int perMille) {
    return new SqlLedger(
        database.dataSource(), InstantSource.system(), new LedgerSettings(perMille));
  }

  private static Settlement pay(int task, String owner, long micros) {
    return new Settlement("bag", task, 0, owner, micros);
  }

  private static void refused(LedgerException.Code code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(LedgerException.class))
        .returns(code, LedgerException::code);
  }
}
