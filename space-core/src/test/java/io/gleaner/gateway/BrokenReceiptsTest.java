package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.CuttingProxy.Fate;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.Note;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.space.core.Limits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections break in the moment in which a client says that it has what it waited for: before the
 * node hears it, or before the client hears that it is heard. Some come back too late for it.
 */
@Timeout(300)
class BrokenReceiptsTest {
  private static final List<Fate> FATES = List.of(Fate.values());
  private static final int WIRES = 3;
  private static final int NOTES = 150 * Integer.getInteger("gleaner.history", 1);
  private static final int AT_A_TIME = 4;
  private static final long SHORT_MILLIS = 60;
  private static final long LONG_MILLIS = 3_600_000;

  @TempDir Path folder;
  private final long seed = Long.getLong("gleaner.seed", System.nanoTime());
  private final AtomicInteger breaks = new AtomicInteger();
  private final ConcurrentLinkedQueue<Integer> taken = new ConcurrentLinkedQueue<>();

  @Test
  @Tag("F7")
  void everyNoteIsTakenOnceWhereverConnectionsBreak() throws Exception {
    System.out.println("BrokenReceiptsTest gleaner.seed=" + seed);
    ExecutorService takers = Executors.newCachedThreadPool();
    List<CuttingProxy> wires = new ArrayList<>();
    List<GatewayConnection> connections = new ArrayList<>();
    Limits limits = Limits.DEFAULT.withReceiptMillis(SHORT_MILLIS);
    try (HazelcastSpace space =
            HazelcastSpace.start(new SpaceSettings(MemberSettings.alone(), 31, 2, limits));
        CountingEngine engine = new CountingEngine(space);
        TestGateway gateway = TestGateway.startUsual(engine, folder);
        TupleSpace writer = SpaceClient.open(space, "ada/notes", "writer")) {
      for (int i = 0; i < WIRES; i++) {
        Random random = new Random(seed + i);
        wires.add(CuttingProxy.to(gateway.server.port(), frame -> fate(frame, random)));
        connections.add(gateway.patientClient(wires.get(i).address()));
        TupleSpace notes = connections.get(i).space("notes");
        takers.execute(() -> takesAll(notes));
        takers.execute(() -> takesAll(notes));
      }
      for (int number = 1; number <= NOTES; number++) {
        int most = number - AT_A_TIME;
        await().pollDelay(0, TimeUnit.MILLISECONDS).until(() -> taken.size() >= most);
        writer.write(new Note("red", number), null, LONG_MILLIS);
      }
      await().until(() -> taken.size() >= NOTES);
      assertThat(taken)
          .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, NOTES).boxed().toList());
      assertThat(writer.take(new Note(), null, 0)).as("what is left").isNull();
      long late = engine.answers().stream().filter(Reply.Refused.class::isInstance).count();
      System.out.println(breaks + " connections broke, " + late + " receipts came too late");
      assertThat(breaks.get()).isPositive();
    } finally {
      takers.shutdownNow();
      connections.forEach(GatewayConnection::close);
      for (CuttingProxy wire : wires) {
        wire.close();
      }
    }
  }

  /** Called by the wire's thread only. */
  private Fate fate(Wire.ClientFrame frame, Random random) {
    if (!frame.hasExecute() || !frame.getExecute().getAccept()) {
      return Fate.HOLDS;
    }
    Fate fate = FATES.get(random.nextInt(FATES.size()));
    if (fate != Fate.HOLDS) {
      breaks.incrementAndGet();
    }
    return fate;
  }

  private void takesAll(TupleSpace notes) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Note note = (Note) notes.take(new Note(), null, LONG_MILLIS);
        taken.add(note == null ? 0 : note.number);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      if (!Thread.currentThread().isInterrupted() && taken.size() < NOTES) {
        taken.add(-1);
      }
    }
  }
}
