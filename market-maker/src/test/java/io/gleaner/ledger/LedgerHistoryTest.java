package io.gleaner.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.ledger.Ledger.Settlement;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random histories with repeated calls against a model of a few maps. */
@Timeout(120)
class LedgerHistoryTest {
  private static final int STEPS = 600;
  private static final int FEE = 30;

  @TempDir Path folder;

  @Test
  void aRandomHistoryWithRepeatsEndsWhereTheModelEnds() {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("gleaner.seed=" + seed);
    Random random = new Random(seed);
    try (Database database = Database.open(StorageSettings.in(folder))) {
      Ledger ledger =
          new SqlLedger(database.dataSource(), InstantSource.system(), new LedgerSettings(FEE));
      Model model = new Model();
      for (int step = 0; step < STEPS; step++) {
        int repeats = random.nextInt(4) == 0 ? 2 : 1;
        int what = random.nextInt(10);
        long stepSeed = random.nextLong();
        for (int i = 0; i < repeats; i++) {
          act(ledger, model, what, step, new Random(stepSeed));
        }
        if (step % 100 == 99) {
          assertThat(Invariants.check(database.dataSource())).as("seed %s", seed).isEmpty();
        }
      }
      Map<String, Long> balances = new TreeMap<>(ledger.balances());
      balances.values().removeIf(micros -> micros == 0);
      model.balances.values().removeIf(micros -> micros == 0);
      assertThat(balances).as("seed %s", seed).isEqualTo(model.balances);
    }
  }

  private static void act(Ledger ledger, Model model, int what, int step, Random random) {
    String user = "user" + random.nextInt(3);
    String job = "bag" + random.nextInt(12);
    if (what < 2) {
      long micros = 1L + random.nextInt(5_000);
      ledger.grant(user, micros, "step" + step);
      model.once("grant" + step, () -> model.move("pool/issued", "user/" + user, micros));
    } else if (what < 4) {
      escrow(ledger, model, user, job, random.nextInt(4_000));
    } else if (what < 9) {
      settle(ledger, model, random);
    } else if (model.holders.containsKey(job)) {
      String holder = model.holders.get(job);
      long refunded = ledger.refund(holder, job, "random");
      model.once(
          "refund" + job,
          () -> {
            long left = model.of("escrow/" + job);
            assertThat(refunded).isEqualTo(left);
            model.move("escrow/" + job, "user/" + holder, left);
            return left;
          });
    }
  }

  private static void escrow(Ledger ledger, Model model, String user, String job, long micros) {
    Runnable call = () -> ledger.escrow(user, job, micros);
    String before = model.escrows.get(job);
    if (before != null && !before.equals(user + micros)) {
      refused(LedgerException.Code.CAUSE_REUSED, call);
    } else if (before == null && model.of("user/" + user) < micros) {
      refused(LedgerException.Code.NOT_ENOUGH_CREDITS, call);
    } else {
      call.run();
      model.escrows.put(job, user + micros);
      model.holders.put(job, user);
      model.once("escrow" + job, () -> model.move("user/" + user, "escrow/" + job, micros));
    }
  }

  private static void settle(Ledger ledger, Model model, Random random) {
    List<String> jobs = new ArrayList<>(new TreeMap<>(model.holders).keySet());
    if (jobs.isEmpty()) {
      return;
    }
    List<Settlement> batch = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(5); i++) {
      int task = random.nextInt(40);
      String job = jobs.get(random.nextInt(jobs.size()));
      // Owner and amount follow from the task, as they do from a result.
      batch.add(new Settlement(job, task, task % 2, "owner" + task % 3, task * 37L));
    }
    List<Long> paid = ledger.settle(batch, 0);
    for (int i = 0; i < batch.size(); i++) {
      Settlement s = batch.get(i);
      String escrow = "escrow/" + s.jobId();
      long expected =
          model.once(
              "settle" + s.jobId() + "/" + s.taskIndex(),
              () -> {
                long micros = Math.min(s.micros(), model.of(escrow));
                model.move(escrow, "owner/" + s.owner(), micros);
                model.move("owner/" + s.owner(), "pool/fees", micros * FEE / 1000);
                return micros;
              });
      assertThat(paid.get(i)).isEqualTo(expected);
    }
  }

  private static void refused(LedgerException.Code code, Runnable call) {
    try {
      call.run();
    } catch (LedgerException e) {
      assertThat(e.code()).isEqualTo(code);
      return;
    }
    throw new AssertionError("expected " + code);
  }

  /** What the ledger must amount to. */
  private static final class Model {
    final Map<String, Long> balances = new TreeMap<>();
    final Map<String, Long> done = new HashMap<>();
    final Map<String, String> escrows = new HashMap<>();
    final Map<String, String> holders = new HashMap<>();

    long of(String account) {
      return balances.getOrDefault(account, 0L);
    }

    long move(String from, String to, long micros) {
      balances.merge(from, -micros, Long::sum);
      balances.merge(to, micros, Long::sum);
      return micros;
    }

    long once(String cause, java.util.function.LongSupplier effect) {
      Long before = done.get(cause);
      if (before != null) {
        return before;
      }
      long answer = effect.getAsLong();
      done.put(cause, answer);
      return answer;
    }
  }
}
