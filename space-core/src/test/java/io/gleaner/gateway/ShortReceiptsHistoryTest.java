package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.gateway.CuttingProxy.Fate;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Command;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.space.core.Limits;
import io.gleaner.space.history.History;
import io.gleaner.space.history.Kind;
import io.gleaner.space.history.Reservations;
import io.gleaner.space.history.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Connections break where clients say that they have what they waited for, and many say it too
 * late: what the clients see is still explained by an order of single steps, in which entries are
 * hidden for a while and come back. {@code -Dgleaner.history=100} does a hundred times as much.
 */
@Timeout(600)
class ShortReceiptsHistoryTest {
  private static final List<Fate> FATES = List.of(Fate.values());
  private static final int WIRES = 3;
  private static final int OPERATIONS = 40;
  private static final int GIVEN_BACK = 10 * Integer.getInteger("gleaner.history", 1);

  /** Shorter than the pause after which a client comes back. */
  private static final SpaceSettings SHORT =
      new SpaceSettings(MemberSettings.alone(), 31, 2, Limits.DEFAULT.withReceiptMillis(20));

  @TempDir Path folder;
  private final long seed = Long.getLong("gleaner.seed", System.nanoTime());

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("F7")
  void whatClientsThatComeTooLateSeeIsLinearizable(Kind kind) throws Exception {
    System.out.println("ShortReceiptsHistoryTest gleaner.seed=" + seed);
    History history = new History();
    Reservations reservations = new Reservations(history, kind);
    List<CuttingProxy> wires = new ArrayList<>();
    List<GatewayConnection> connections = new ArrayList<>();
    try (HazelcastSpace space = HazelcastSpace.start(SHORT);
        Witnessed engine = new Witnessed(space, reservations);
        TestGateway gateway = TestGateway.startUsual(engine, folder)) {
      List<TupleSpace> clients = new ArrayList<>();
      for (int i = 0; i < WIRES; i++) {
        Random random = new Random(seed + i);
        wires.add(CuttingProxy.to(gateway.server.port(), frame -> fate(frame, random)));
        connections.add(gateway.patientClient(wires.get(i).address()));
        clients.add(connections.get(i).space("history"));
        clients.add(connections.get(i).space("history"));
      }
      for (int run = 0; reservations.givenBack() < GIVEN_BACK; run++) {
        new Workload(kind, 4, OPERATIONS, Workload.Mix.SCARCE, seed + 100L * run)
            .run(history, clients);
      }
      history.client("drain", clients.get(0), kind).drain();
      System.out.println(
          history.size() + " operations, " + reservations.givenBack() + " entries given back");
      assertThat(history.lossReasons()).as("every operation was answered in the end").isEmpty();
      history.check();
      clients.forEach(TupleSpace::close);
    } finally {
      connections.forEach(GatewayConnection::close);
      for (CuttingProxy wire : wires) {
        wire.close();
      }
    }
  }

  /** Called by the wire's thread only. */
  private static Fate fate(Wire.ClientFrame frame, Random random) {
    return frame.hasExecute() && frame.getExecute().getAccept()
        ? FATES.get(random.nextInt(FATES.size()))
        : Fate.HOLDS;
  }

  /** An engine whose reservations are seen. */
  private static final class Witnessed extends PassingEngine {
    private final Reservations reservations;

    Witnessed(NodeEngine engine, Reservations reservations) {
      super(engine);
      this.reservations = reservations;
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command, Receipt receipt) {
      Consumer<Reply> answered = reservations.asked(session, sequence);
      return super.execute(session, sequence, lowestUnanswered, command, receipt)
          .whenComplete(
              (reply, failure) -> {
                if (failure == null) {
                  answered.accept(reply);
                }
              });
    }
  }
}
