package io.gleaner.jini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Note;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import net.jini.id.UuidFactory;
import net.jini.jeri.BasicJeriExporter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager that takes calls and never answers them holds up its own transactions only. */
@Timeout(120)
class FrozenManagersTest {
  private final List<Manager> managers = new ArrayList<>();

  /** Answers the state that it is told to, and while it is frozen nothing. */
  private static final class Manager implements TransactionManager {
    final BasicJeriExporter exporter = JeriAddress.loopback().exporter(UuidFactory.generate());
    final CountDownLatch wasAsked = new CountDownLatch(1);
    final CountDownLatch thawed = new CountDownLatch(1);
    volatile boolean frozen;
    volatile int state = TransactionConstants.ACTIVE;

    @Override
    public int getState(long id) {
      if (frozen) {
        wasAsked.countDown();
        try {
          thawed.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return state;
    }

    @Override
    public Created create(long lease) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void join(long id, TransactionParticipant part, long crashCount) {}

    @Override
    public void commit(long id) {}

    @Override
    public void commit(long id, long waitFor) {}

    @Override
    public void abort(long id) {}

    @Override
    public void abort(long id, long waitFor) {}
  }

  private TransactionManager export(Manager manager) throws Exception {
    managers.add(manager);
    return (TransactionManager) manager.exporter.export(manager);
  }

  @AfterEach
  void thaw() {
    managers.forEach(
        manager -> {
          manager.thawed.countDown();
          manager.exporter.unexport(true);
        });
  }

  @Test
  void othersAreAskedMeanwhile() throws Exception {
    Manager frozen = new Manager();
    Manager awake = new Manager();
    var settings =
        new ForeignTransactions.Settings(
            JeriAddress.loopback(), UuidFactory.generate(), 1, Duration.ofMillis(100));
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        ForeignTransactions foreign = ForeignTransactions.start(engine, settings);
        TupleSpace space = SpaceClient.open(engine, "frozen", "test", foreign)) {
      space.write(new Note("a", 1), new ServerTransaction(export(frozen), 1), Lease.FOREVER);
      space.write(new Note("b", 1), new ServerTransaction(export(awake), 2), Lease.FOREVER);
      frozen.frozen = true;
      frozen.wasAsked.await();
      awake.state = TransactionConstants.ABORTED;
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> foreign.size() == 1);
    }
  }

  @Test
  void aCallThatIsNotAnsweredGivesItsThreadBack() throws Exception {
    Manager frozen = new Manager();
    frozen.frozen = true;
    TransactionManager proxy = export(frozen);
    CompletableFuture<Integer> first = new CompletableFuture<>();
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    try (PeerCalls calls = new PeerCalls("frozen", 1, Duration.ofMillis(200))) {
      calls.run(
          () -> {
            try {
              first.complete(calls.patiently(() -> proxy.getState(1)));
            } catch (Exception e) {
              first.completeExceptionally(e);
            }
          });
      calls.run(() -> second.complete(Thread.currentThread().isInterrupted()));
      assertThat(second.get(60, TimeUnit.SECONDS)).isFalse();
      assertThatThrownBy(first::join).hasCauseInstanceOf(PeerCalls.SilentException.class);
    }
  }
}
