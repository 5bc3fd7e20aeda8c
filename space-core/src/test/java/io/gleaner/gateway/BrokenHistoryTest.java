package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.space.core.Limits;
import io.gleaner.space.history.History;
import io.gleaner.space.history.Kind;
import io.gleaner.space.history.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Connections break again and again, with and without the answers that were on their way, and what
 * the clients see is still explained by an order of single steps. {@code -Dgleaner.history=100}
 * does a hundred times as much.
 */
@Timeout(600)
class BrokenHistoryTest {
  private static final int CLIENTS = 6;
  private static final int TIMES = Integer.getInteger("gleaner.history", 1);

  /** What goes back because its client was away for too long was hidden until then. */
  private static final SpaceSettings WITH_TIME =
      new SpaceSettings(MemberSettings.alone(), 271, 2, Limits.DEFAULT.withReceiptMillis(600_000));

  @TempDir Path folder;
  private final long seed = Long.getLong("gleaner.seed", System.nanoTime());

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("F7")
  void whatClientsOfBrokenConnectionsSeeIsLinearizable(Kind kind) throws Exception {
    System.out.println("BrokenHistoryTest gleaner.seed=" + seed);
    ScheduledExecutorService cutting = Executors.newSingleThreadScheduledExecutor();
    List<CuttingProxy> wires = new ArrayList<>();
    List<GatewayConnection> connections = new ArrayList<>();
    try (HazelcastSpace engine = HazelcastSpace.start(WITH_TIME);
        TestGateway gateway = TestGateway.startUsual(engine, folder)) {
      List<TupleSpace> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        // Two clients share a connection, and break together.
        if (i % 2 == 0) {
          wires.add(CuttingProxy.to(gateway.server.port()));
          connections.add(gateway.patientClient(wires.get(i / 2).address()));
        }
        clients.add(connections.get(i / 2).space("history"));
      }
      Random random = new Random(seed);
      var unused =
          cutting.scheduleWithFixedDelay(
              () -> cut(wires.get(random.nextInt(wires.size())), random, cutting),
              50,
              300,
              TimeUnit.MILLISECONDS);
      History history = new History();
      new Workload(kind, 4, 40 * TIMES, seed).run(history, clients);
      cutting.shutdown();
      assertThat(cutting.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      history.client("drain", clients.get(0), kind).drain();
      int cuts = wires.stream().mapToInt(CuttingProxy::connections).sum() - wires.size();
      System.out.println(
          history.size() + " operations explained, " + cuts + " connections made again");
      assertThat(history.lossReasons()).as("every operation was answered in the end").isEmpty();
      history.check();
      clients.forEach(TupleSpace::close);
    } finally {
      cutting.shutdownNow();
      connections.forEach(GatewayConnection::close);
      for (CuttingProxy wire : wires) {
        wire.close();
      }
    }
  }

  private static void cut(CuttingProxy wire, Random random, ScheduledExecutorService cutting) {
    if (random.nextBoolean()) {
      wire.swallowsAnswers();
      var unused = cutting.schedule(wire::cut, 1 + random.nextInt(20), TimeUnit.MILLISECONDS);
    } else {
      wire.cut();
    }
  }
}
