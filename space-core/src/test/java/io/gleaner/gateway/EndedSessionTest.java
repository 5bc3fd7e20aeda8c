package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.space.Command;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.Note;
import io.gleaner.space.OutcomeUnknownException;
import io.gleaner.space.Reply;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceEvent;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.TupleSpace;
import io.gleaner.space.core.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A space goes on in a new session when its own has ended, and says what went with the old one. */
@Timeout(180)
class EndedSessionTest {
  private static final long LONG_MILLIS = 3_600_000;
  private static final long SESSION_MILLIS = 4_000;

  @TempDir Path folder;

  @Test
  @Tag("F5")
  void aProgramThatSleptUntilItsSessionEndedGoesOn() throws Exception {
    try (HazelcastSpace space = space();
        Opened engine = new Opened(space);
        TestGateway gateway = TestGateway.start(engine, folder, EndedSessionTest::attentive);
        TupleSpace embedded = SpaceClient.open(space, "ada/notes", "test");
        SleepyClient sleepy = SleepyClient.start(gateway, WokenProgram.class)) {
      embedded.write(new Note("held", 1), null, LONG_MILLIS);
      assertThat(sleepy.says("asleep")).isEqualTo("asleep");
      sleepy.sleeps();
      await().until(engine::haveAllEnded);
      sleepy.wakes();
      sleepy.isTold("go on");

      assertThat(sleepy.says("waited")).isEqualTo("waited OutcomeUnknownException");
      assertThat(sleepy.says("within")).isEqualTo("within UnknownTransactionException");
      assertThat(sleepy.says("commit")).isEqualTo("commit UnknownTransactionException");
      assertThat(sleepy.says("events")).isEqualTo("events UnknownLeaseException");
      assertThat(sleepy.says("lease")).isEqualTo("lease done");
      assertThat(sleepy.says("write")).isEqualTo("write done");
      assertThat(sleepy.says("read")).isEqualTo("read done");
      assertThat(sleepy.says("next")).isEqualTo("next done");
      assertThat(sleepy.says("told")).isEqualTo("told true");
      assertThat(isThere(embedded, "held")).isFalse();
    }
  }

  @Test
  void aSpaceGoesOnAtANodeInMemoryThatBeganAnew() throws Exception {
    HazelcastSpace space = space();
    TestGateway before = TestGateway.startToComeBack(space, folder);
    GatewayAddress address = before.address();
    try (GatewayConnection client = before.patientClient();
        TupleSpace notes = client.space("notes")) {
      notes.write(new Note("old", 1), null, LONG_MILLIS);
      Transaction transaction = notes.begin(Duration.ofHours(1)).transaction;
      Lease lease = notes.write(new Note("old", 2), transaction, LONG_MILLIS);
      CompletableFuture<Note> waiting =
          CompletableFuture.supplyAsync(() -> takes(notes, "awaited"));
      await().until(() -> before.server.waitingOperations() == 1);
      before.close();
      space.close();

      try (HazelcastSpace anew = space();
          TestGateway after = TestGateway.startAgain(anew, folder, address.port(), before.token)) {
        assertThat(after.address()).isEqualTo(address);
        assertThatThrownBy(waiting::get)
            .isInstanceOf(ExecutionException.class)
            .hasRootCauseInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> notes.write(new Note("old", 3), transaction, LONG_MILLIS))
            .isInstanceOf(TransactionException.class);
        assertThatThrownBy(transaction::commit).isInstanceOf(UnknownTransactionException.class);
        assertThatThrownBy(() -> lease.renew(LONG_MILLIS))
            .isInstanceOf(UnknownLeaseException.class);
        assertThat(isThere(notes, "old")).isFalse();
        notes.write(new Note("awaited", 4), null, LONG_MILLIS);
        assertThat(takes(notes, "awaited").number).isEqualTo(4);
        assertThat(client.isOver()).isFalse();
        assertThat(client.hasLostSessions()).isTrue();
      }
    }
  }

  @Test
  void aSpaceGoesOnAtAnotherNodeWhenItsSessionEndedOnTheWay() throws Exception {
    try (HazelcastSpace space = space();
        TestGateway first = TestGateway.startUsual(space, folder.resolve("first"));
        TestGateway second = TestGateway.startUsual(space, folder.resolve("second"));
        CuttingProxy toFirst = CuttingProxy.to(first.server.port());
        CuttingProxy toSecond = CuttingProxy.to(second.server.port());
        TupleSpace embedded = SpaceClient.open(space, "ada/notes", "test")) {
      second.knows(first.token);
      toSecond.bars(true);
      try (GatewayConnection client =
              GatewayConnection.connect(
                  List.of(toFirst.address(), toSecond.address()),
                  first.token,
                  "laptop",
                  new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(120)));
          TupleSpace notes = client.space("notes")) {
        notes.write(new Note("held", 1), null, LONG_MILLIS);
        Transaction transaction = notes.begin(Duration.ofHours(1)).transaction;
        notes.take(new Note("held", null), transaction, JavaSpace.NO_WAIT);
        toFirst.bars(true);
        await().until(() -> isThere(embedded, "held"));

        toSecond.bars(false);

        assertThatThrownBy(() -> notes.write(new Note("held", 2), transaction, LONG_MILLIS))
            .isInstanceOf(TransactionException.class);
        assertThat(takes(notes, "held").number).isEqualTo(1);
      }
    }
  }

  /** An engine that knows which sessions its clients have opened. */
  private static final class Opened extends PassingEngine {
    private static final long NOT_USED = 200;
    private final List<Long> sessions = new CopyOnWriteArrayList<>();

    Opened(HazelcastSpace space) {
      super(space);
    }

    @Override
    public CompletableFuture<Long> open(
        SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events) {
      return super.open(name, tenure, begins, events)
          .whenComplete((session, failure) -> sessions.add(session));
    }

    boolean haveAllEnded() {
      return sessions.stream().allMatch(this::hasEnded);
    }

    private boolean hasEnded(long session) {
      return execute(session, NOT_USED, 1, new Command.TransactionState(1)).join()
              instanceof Reply.Refused refused
          && refused.code() == Reply.Refusal.OUTCOME_UNKNOWN;
    }
  }

  private static HazelcastSpace space() {
    return HazelcastSpace.start(
        new SpaceSettings(
            MemberSettings.alone(), 31, 2, Limits.DEFAULT.withSessionLeaseMillis(SESSION_MILLIS)));
  }

  /** Notices after some seconds that a client is silent. */
  private static GatewaySettings attentive(GatewaySettings quick) {
    GatewaySettings usual = GatewaySettings.onPort(0);
    return new GatewaySettings(
        usual.host(),
        usual.port(),
        usual.frameBytes(),
        usual.entryBytes(),
        usual.batchEntries(),
        usual.waitingOperations(),
        usual.ofOwner(),
        usual.links(),
        usual.blobBytes(),
        Duration.ofSeconds(2),
        usual.lease(),
        usual.patience(),
        usual.drain(),
        usual.rates());
  }

  private static boolean isThere(TupleSpace space, String topic) throws Exception {
    return space.read(new Note(topic, null), null, JavaSpace.NO_WAIT) != null;
  }

  private static Note takes(TupleSpace space, String topic) {
    try {
      return (Note) space.take(new Note(topic, null), null, LONG_MILLIS);
    } catch (Exception e) {
      throw new IllegalStateException("the take failed", e);
    }
  }
}
