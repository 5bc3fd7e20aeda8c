package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.history.History;
import io.gleaner.space.history.Kind;
import io.gleaner.space.history.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A member joins and another is killed while clients of a third work; what they see is explained by
 * an order of single steps. {@code -Dgleaner.history=20} does it twenty times.
 */
@Timeout(1200)
class ClusterHistoryTest {
  private static final int TIMES = Integer.getInteger("gleaner.history", 1);

  @Test
  @Tag("F2")
  void whatClientsSeeWhileMembersJoinAndDieIsLinearizable() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("ClusterHistoryTest gleaner.seed=" + seed);
    ExecutorService members = Executors.newSingleThreadExecutor();
    try {
      for (int run = 0; run < TIMES; run++) {
        try (TestCluster cluster = TestCluster.of(2)) {
          Kind kind = run % 2 == 0 ? Kind.SPREAD : Kind.TOGETHER;
          survivesALoss(cluster, members, kind, seed + run * 1000L);
        }
      }
    } finally {
      members.shutdownNow();
    }
  }

  private static void survivesALoss(
      TestCluster cluster, ExecutorService members, Kind kind, long seed) throws Exception {
    List<TupleSpace> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(SpaceClient.open(cluster.member(0), "history", "client " + i));
    }
    History history = new History();
    Workload before = new Workload(kind, 4, 40, seed);
    before.run(history, clients);
    Future<?> change =
        members.submit(
            () -> {
              HazelcastSpace killed = cluster.member(1);
              cluster.joins();
              cluster.kills(killed);
              cluster.awaitSettled();
            });
    for (int part = 1; part == 1 || !change.isDone(); part++) {
      new Workload(kind, 4, 40, seed + 100L * part).run(history, clients);
    }
    change.get(60, TimeUnit.SECONDS);
    history.client("drain", clients.get(0), kind).drain();
    System.out.println(history.size() + " operations through a join and a kill, " + kind);
    assertThat(history.lossReasons()).isEmpty();
    history.check();
    clients.forEach(TupleSpace::close);
  }
}
