package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** What our space promises beyond the specification, in a real Hazelcast member. */
@Timeout(60)
@SuppressWarnings({"unchecked", "rawtypes"}) // the interface is older than generics
class SpaceClientTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long WAIT = 10_000;

  private static HazelcastSpace engine;
  private TupleSpace space;

  @BeforeAll
  static void startMember() {
    engine = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void stopMember() {
    engine.close();
  }

  @BeforeEach
  void openSpace(TestInfo test) throws RemoteException {
    space = SpaceClient.open(engine, test.getDisplayName(), "test");
  }

  @AfterEach
  void closeSpace() {
    space.close();
  }

  @Test
  void equalMatchesComeInTheOrderOfWriting() throws Exception {
    for (int i = 0; i < 50; i++) {
      space.write(new Note("a", i), null, Lease.FOREVER);
    }
    for (int i = 0; i < 50; i++) {
      Note taken = (Note) space.take(new Note("a", null), null, JavaSpace.NO_WAIT);
      assertThat(taken.number).isEqualTo(i);
    }
  }

  @Test
  void whatIsNullButNoTemplateIsNamed() {
    isNamed("an entry to write is null", () -> space.write(null, null, Lease.FOREVER));
    isNamed("list of entries", () -> space.write((List) null, null, List.of()));
    isNamed("list of leases", () -> space.write(List.of(new Note("a", 1)), null, null));
    isNamed("templates is null", () -> space.take((Collection) null, null, 0, 1));
    isNamed("templates is null", () -> space.contents(null, null, WAIT, 1));
    isNamed("listener is null", () -> space.notify(null, null, null, WAIT, null));
  }

  private static void isNamed(String what, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessageContaining(what);
  }

  @Test
  void everyMatchingWriteIsToldInOrder() throws Exception {
    List<Long> numbers = new CopyOnWriteArrayList<>();
    var registration =
        space.notify(
            new Note("a", null),
            null,
            e -> numbers.add(e.getSequenceNumber()),
            MINUTE.toMillis(),
            null);
    space.write(new Note("b", 0), null, Lease.FOREVER);
    for (int i = 0; i < 5; i++) {
      space.write(new UrgentNote("a", i, "x"), null, Lease.FOREVER);
    }
    await().untilAsserted(() -> assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L));
    registration.getLease().cancel();
    space.write(new Note("a", 6), null, Lease.FOREVER);
    assertThatThrownBy(() -> registration.getLease().renew(1_000))
        .isInstanceOf(UnknownLeaseException.class);
    assertThat(numbers).hasSize(5);
  }

  @Test
  void aClosedClientLeavesNoLock() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    TupleSpace other = SpaceClient.open(engine, spaceName(), "other");
    Transaction.Created txn = other.begin(MINUTE);
    other.take(new Note(), txn.transaction, JavaSpace.NO_WAIT);
    other.close();
    assertThat(space.take(new Note(), null, WAIT)).isNotNull();
  }

  @Test
  void aBatchIsWrittenTakenAndListed() throws Exception {
    List<Entry> notes = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      notes.add(new SpreadNote("s" + i % 50, i));
    }
    space.write(notes, null, Collections.nCopies(notes.size(), Lease.FOREVER));
    assertThat(all(space, new SpreadNote())).hasSize(1_200);
    Collection<Entry> some =
        space.take(List.of(new SpreadNote("s1", null), new SpreadNote("s2", null)), null, 0, 1_000);
    assertThat(some).hasSize(48);
    assertThat(space.take(List.of(new SpreadNote()), null, WAIT, 2_000)).hasSize(1_152);
    assertThat(space.take(List.of(new SpreadNote()), null, 0, 10)).isEmpty();
  }

  @Test
  void largeEntriesComeInSeveralAnswers() throws Exception {
    String large = "x".repeat(200_000);
    for (int i = 0; i < 60; i++) {
      space.write(new Note(large, i), null, Lease.FOREVER);
    }
    assertThat(all(space, new Note())).hasSize(60);
    int taken = 0;
    for (int answers = 0; answers < 10 && taken < 60; answers++) {
      taken += space.take(List.of(new Note()), null, 0, 1_000).size();
    }
    assertThat(taken).isEqualTo(60);
    assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void spacesOfOtherNamesAreIsolated() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    try (TupleSpace other = SpaceClient.open(engine, "elsewhere", "other")) {
      assertThat(other.read(null, null, JavaSpace.NO_WAIT)).isNull();
    }
  }

  private String name;

  @BeforeEach
  void remember(TestInfo test) {
    name = test.getDisplayName();
  }

  private String spaceName() {
    return name;
  }

  private static List<Entry> all(TupleSpace space, Entry template) throws Exception {
    List<Entry> found = new ArrayList<>();
    MatchSet set = space.contents(List.of(template), null, WAIT, Long.MAX_VALUE);
    for (Entry each = set.next(); each != null; each = set.next()) {
      found.add(each);
    }
    return found;
  }

  @Test
  @Tag("F8")
  void withEveryEventLostBlockedTakesWakeAndSweepsFindEverything() throws Exception {
    SpaceEngine deaf = new DeafEngine(engine);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TupleSpace listening = SpaceClient.open(deaf, "deaf", "listener");
        TupleSpace writing = SpaceClient.open(engine, "deaf", "writer")) {
      Semaphore told = new Semaphore(0);
      listening.notify(new Note("a", null), null, event -> told.release(), WAIT, null);
      Future<Entry> taken = threads.submit(() -> listening.take(new Note("b", null), null, 60_000));
      Future<Integer> swept = threads.submit(() -> sweeps(listening, told, 200));
      for (int i = 0; i < 200; i++) {
        writing.write(new Note("a", i), null, Lease.FOREVER);
      }
      writing.write(new Note("b", 1), null, Lease.FOREVER);
      assertThat(taken.get(60, TimeUnit.SECONDS)).isNotNull();
      assertThat(swept.get(60, TimeUnit.SECONDS)).isEqualTo(200);
      assertThat(told.availablePermits()).as("not one event came").isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  /** A consumer as all of them are to be: woken by events, but looking without one as well. */
  private static int sweeps(TupleSpace space, Semaphore told, int count) throws Exception {
    int found = 0;
    while (found < count) {
      var unused = told.tryAcquire(20, TimeUnit.MILLISECONDS);
      while (space.takeIfExists(new Note("a", null), null, JavaSpace.NO_WAIT) != null) {
        found++;
      }
    }
    return found;
  }

  /** An engine whose every event is lost. */
  private record DeafEngine(SpaceEngine engine) implements SpaceEngine {
    @Override
    public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
      return engine.open(holder, lost -> {});
    }

    @Override
    public CompletableFuture<Reply> execute(
        long session, long sequence, long lowestUnanswered, Command command) {
      return engine.execute(session, sequence, lowestUnanswered, command);
    }

    @Override
    public CompletableFuture<Void> close(long session) {
      return engine.close(session);
    }

    @Override
    public void close() {}
  }
}
