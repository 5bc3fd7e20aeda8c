package io.gleaner.space;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.gleaner.secrets.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills real member processes under load, again and again, and compares what the clients were told.
 * {@code -Dgleaner.kill.operations} says how many operations have to be acknowledged: a few
 * thousand in each build, millions by hand.
 *
 * <p>Clients write and take in this process, by template and by wildcard, one after the other and
 * pipelined. Two more members run beside; when both are there and all cells have their replica, a
 * third joins, and one of the three is killed at a random moment: before, while or after cells
 * move.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS) // the usual limit is too short by hand; see below
class ClusterKillTest {
  private final long seed = Long.getLong("gleaner.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Secret secret = Secret.random();
  private final List<MemberProcess> processes = new ArrayList<>();
  private HazelcastSpace first;
  private int kills;

  @Test
  @Tag("F2")
  void whatIsAcknowledgedOutlivesEveryMemberThatIsKilled() throws Exception {
    long goal = Long.getLong("gleaner.kill.operations", 5_000);
    System.out.printf(Locale.ROOT, "%,d operations, -Dgleaner.seed=%d%n", goal, seed);
    assertTimeoutPreemptively(
        Duration.ofMinutes(5).plusMillis(goal), () -> run(goal), "a millisecond per operation");
  }

  private void run(long goal) throws Exception {
    long start = System.nanoTime();
    first = HazelcastSpace.start(MemberProcess.settings(secret, List.of()));
    try (ClusterLoad load = new ClusterLoad()) {
      joins();
      awaitMembers(2);
      load.runsOn(first);
      load.pipelinesOn(first);
      while (load.operations() < goal) {
        while (processes.size() < 2) {
          joins();
          awaitMembers(processes.size() + 1);
        }
        awaitSettled();
        load.goesOnFor(random.nextInt(5_000));
        boolean whileCellsMove = random.nextBoolean();
        if (whileCellsMove) {
          joins();
          awaitMembers(processes.size() + 1);
          load.goesOnFor(random.nextInt(2_000));
        }
        processes.remove(random.nextInt(processes.size())).kill();
        kills++;
        awaitMembers(processes.size() + 1);
        awaitSettled();
        report(load, start);
      }
      load.endsWithEveryEntryTakenOnce();
      report(load, start);
      System.out.println("every acknowledged entry was taken once");
    } finally {
      processes.forEach(MemberProcess::close);
      first.member().kill();
    }
  }

  private void joins() throws Exception {
    processes.add(MemberProcess.start(secret, List.of(first.member().address())));
  }

  private void awaitMembers(int count) {
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> first.member().members() == count);
  }

  private void awaitSettled() {
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> first.member().isSettled());
  }

  private void report(ClusterLoad load, long start) {
    System.out.printf(
        Locale.ROOT,
        "%,11d operations acknowledged, %d kills, %d cells lost, %.0f s%n",
        load.operations(),
        kills,
        first.member().lostCells(),
        (System.nanoTime() - start) / 1e9);
  }
}
