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
import java.util.concurrent.atomic.AtomicReference;
import net.jini.core.entry.Entry;
import net.jini.core.event.RemoteEvent;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseMap;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.space.AvailabilityEvent;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The JavaSpaces specification, paragraph by paragraph, on a space in a real Hazelcast member. */
@Timeout(60)
@SuppressWarnings({"unchecked", "rawtypes"}) // the interface is older than generics
class JavaSpaceConformanceTest {
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

  // JS.2.3 write

  @Test
  void js2_3_aWrittenEntryIsACopy() throws Exception {
    Note note = new Note("a", 1);
    space.write(note, null, Lease.FOREVER);
    note.number = 2;
    assertThat(((Note) space.read(new Note(), null, JavaSpace.NO_WAIT)).number).isEqualTo(1);
  }

  @Test
  void js2_3_writingTwiceGivesTwoEntries() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    space.write(new Note("a", 1), null, Lease.FOREVER);
    assertThat(space.take(new Note("a", 1), null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.take(new Note("a", 1), null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.take(new Note("a", 1), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void js2_3_aBadLeaseIsRefused() {
    assertThatThrownBy(() -> space.write(new Note(), null, -2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // JS.2.4 and JS.2.5 read, take, templates

  @Test
  void js2_5_nullIsAWildcardAndValuesMatchExactly() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.read(new Note("a", null), null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.read(new Note(null, 2), null, JavaSpace.NO_WAIT)).isNull();
    assertThat(space.read(new Note("b", 1), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void js2_5_aTemplateMatchesSubtypesAndNotSupertypes() throws Exception {
    space.write(new UrgentNote("a", 1, "x"), null, Lease.FOREVER);
    assertThat(space.read(new Note("a", 1), null, JavaSpace.NO_WAIT))
        .isInstanceOf(UrgentNote.class);
    assertThat(space.take(new UrgentNote("a", null, "x"), null, JavaSpace.NO_WAIT)).isNotNull();
    space.write(new Note("a", 1), null, Lease.FOREVER);
    assertThat(space.read(new UrgentNote(), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void js2_4_equalMatchesComeInTheOrderOfWriting() throws Exception {
    for (int i = 0; i < 50; i++) {
      space.write(new Note("a", i), null, Lease.FOREVER);
    }
    for (int i = 0; i < 50; i++) {
      Note taken = (Note) space.take(new Note("a", null), null, JavaSpace.NO_WAIT);
      assertThat(taken.number).isEqualTo(i);
    }
  }

  @Test
  void js2_4_aBlockedTakeWakesWithTheWrite() throws Exception {
    CompletableFuture<Entry> taken =
        inBackground(() -> space.take(new Note("a", null), null, WAIT));
    space.write(new Note("b", 1), null, Lease.FOREVER);
    space.write(new Note("a", 2), null, Lease.FOREVER);
    assertThat(((Note) taken.get()).number).isEqualTo(2);
    assertThat(space.read(new Note("b", null), null, JavaSpace.NO_WAIT)).isNotNull();
  }

  @Test
  void js2_4_aBlockedTakeOfASupertypeWakesWithAClassNeverSeenBefore() throws Exception {
    CompletableFuture<Entry> taken = inBackground(() -> space.take(null, null, WAIT));
    space.write(new UrgentNote("a", 2, "x"), null, Lease.FOREVER);
    assertThat(taken.get()).isInstanceOf(UrgentNote.class);
    assertThat(space.read(null, null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void js2_4_ofManyWaitingTakesExactlyOneGetsTheEntry() throws Exception {
    List<CompletableFuture<Entry>> takes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Entry template = i % 2 == 0 ? null : new Note("a", null);
      takes.add(inBackground(() -> space.take(template, null, 1_500)));
    }
    space.write(new Note("a", 2), null, Lease.FOREVER);
    long got = 0;
    for (CompletableFuture<Entry> take : takes) {
      got += take.get() == null ? 0 : 1;
    }
    assertThat(got).isEqualTo(1);
  }

  @Test
  void js2_4_aTimeOutEndsTheWait() throws Exception {
    assertThat(space.take(new Note("never", null), null, 50)).isNull();
    assertThat(space.readIfExists(new Note("never", null), null, WAIT)).isNull();
  }

  @Test
  void js2_4_anInterruptEndsTheWaitAndLosesNothing() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                space.take(new Note("a", null), null, Long.MAX_VALUE);
              } catch (Exception e) {
                thrown.set(e);
              }
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    waiting.interrupt();
    waiting.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    space.write(new Note("a", 1), null, Lease.FOREVER);
    assertThat(space.take(new Note("a", null), null, JavaSpace.NO_WAIT)).isNotNull();
  }

  @Test
  void js2_6_aSnapshotServesAsEntryAndAsTemplate() throws Exception {
    Entry snapshot = space.snapshot(new Note("a", 1));
    space.write(snapshot, null, Lease.FOREVER);
    assertThat(space.take(snapshot, null, JavaSpace.NO_WAIT)).isInstanceOf(Note.class);
  }

  // JS.2.7 notify

  @Test
  void js2_7_everyMatchingWriteIsToldInOrder() throws Exception {
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
  void js05_anAvailabilityEventCarriesTheEntryThatCameBack() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    List<RemoteEvent> events = new CopyOnWriteArrayList<>();
    space.registerForAvailabilityEvent(
        List.of(new Note("a", null)), null, false, events::add, MINUTE.toMillis(), null);
    Transaction.Created txn = space.begin(MINUTE);
    space.take(new Note("a", null), txn.transaction, JavaSpace.NO_WAIT);
    assertThat(events).isEmpty();
    txn.transaction.abort();
    await().until(() -> events.size() == 1);
    AvailabilityEvent event = (AvailabilityEvent) events.get(0);
    assertThat(((Note) event.getEntry()).number).isEqualTo(1);
    assertThat(event.isVisibilityTransition()).isTrue();
  }

  // JS.2.8 leases

  @Test
  void js2_8_anEntryEndsWithItsLease() throws Exception {
    Lease lease = space.write(new Note("a", 1), null, 100);
    assertThat(space.read(new Note(), null, JavaSpace.NO_WAIT)).isNotNull();
    await()
        .atMost(Duration.ofSeconds(2))
        .until(() -> space.read(new Note(), null, JavaSpace.NO_WAIT) == null);
    assertThatThrownBy(() -> lease.renew(1_000)).isInstanceOf(UnknownLeaseException.class);
  }

  @Test
  void js2_8_aLeaseIsRenewedCancelledAndBatched() throws Exception {
    Lease first = space.write(new Note("a", 1), null, 5_000);
    Lease second = space.write(new Note("a", 2), null, 5_000);
    first.renew(60_000);
    assertThat(first.getExpiration() - second.getExpiration()).isGreaterThan(50_000);
    LeaseMap map = first.createLeaseMap(120_000);
    assertThat(map.canContainKey(second)).isTrue();
    map.put(second, 120_000L);
    map.renewAll();
    map.cancelAll();
    assertThat(space.read(new Note(), null, JavaSpace.NO_WAIT)).isNull();
  }

  // JS.3 transactions

  @Test
  void js3_whatIsWrittenUnderATransactionIsSeenOnlyThereUntilItCommits() throws Exception {
    Transaction.Created txn = space.begin(MINUTE);
    space.write(new Note("a", 1), txn.transaction, Lease.FOREVER);
    assertThat(space.read(new Note(), txn.transaction, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.read(new Note(), null, JavaSpace.NO_WAIT)).isNull();
    CompletableFuture<Entry> waiting = inBackground(() -> space.read(new Note(), null, WAIT));
    txn.transaction.commit();
    assertThat(waiting.get()).isNotNull();
  }

  @Test
  void js3_anAbortBringsBackWhatWasTakenAndDropsWhatWasWritten() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    Transaction.Created txn = space.begin(MINUTE);
    assertThat(space.take(new Note("a", 1), txn.transaction, JavaSpace.NO_WAIT)).isNotNull();
    space.write(new Note("a", 2), txn.transaction, Lease.FOREVER);
    assertThat(space.read(new Note(), null, JavaSpace.NO_WAIT)).isNull();
    txn.transaction.abort();
    assertThat(((Note) space.read(new Note(), null, JavaSpace.NO_WAIT)).number).isEqualTo(1);
    assertThat(space.read(new Note("a", 2), null, JavaSpace.NO_WAIT)).isNull();
  }

  @Test
  void js3_anEntryReadUnderATransactionCanBeReadButNotTakenByOthers() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    Transaction.Created txn = space.begin(MINUTE);
    assertThat(space.read(new Note(), txn.transaction, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.read(new Note(), null, JavaSpace.NO_WAIT)).isNotNull();
    assertThat(space.take(new Note(), null, JavaSpace.NO_WAIT)).isNull();
    CompletableFuture<Entry> taken = inBackground(() -> space.takeIfExists(new Note(), null, WAIT));
    txn.transaction.commit();
    assertThat(taken.get()).isNotNull();
  }

  @Test
  void js3_ifExistsWaitsForALockAndEndsWhenNothingIsLeft() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    Transaction.Created txn = space.begin(MINUTE);
    space.take(new Note(), txn.transaction, JavaSpace.NO_WAIT);
    CompletableFuture<Entry> taken =
        inBackground(() -> space.takeIfExists(new Note("a", null), null, WAIT));
    assertThat(taken.isDone()).isFalse();
    txn.transaction.commit();
    assertThat(taken.get()).isNull();
  }

  @Test
  void js3_aTransactionSpansClassesAndShardsAndCommitsAsAWhole() throws Exception {
    Transaction.Created txn = space.begin(MINUTE);
    for (int i = 0; i < 40; i++) {
      space.write(new SpreadNote("s" + i, i), txn.transaction, Lease.FOREVER);
    }
    space.write(new Note("a", 1), txn.transaction, Lease.FOREVER);
    txn.transaction.commit();
    assertThat(all(space, new SpreadNote())).hasSize(40);
    assertThat(space.read(new Note(), null, JavaSpace.NO_WAIT)).isNotNull();
  }

  @Test
  void js3_theLeaseOfATransactionIsItsLife() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    Transaction.Created txn = space.begin(Duration.ofMillis(300));
    space.take(new Note(), txn.transaction, JavaSpace.NO_WAIT);
    assertThat(space.take(new Note(), null, WAIT)).isNotNull();
    assertThatThrownBy(txn.transaction::commit).isInstanceOf(UnknownTransactionException.class);
    assertThatThrownBy(() -> space.read(new Note(), txn.transaction, JavaSpace.NO_WAIT))
        .isInstanceOf(TransactionException.class);
  }

  @Test
  void js3_aClosedClientLeavesNoLock() throws Exception {
    space.write(new Note("a", 1), null, Lease.FOREVER);
    TupleSpace other = SpaceClient.open(engine, spaceName(), "other");
    Transaction.Created txn = other.begin(MINUTE);
    other.take(new Note(), txn.transaction, JavaSpace.NO_WAIT);
    other.close();
    assertThat(space.take(new Note(), null, WAIT)).isNotNull();
  }

  // JavaSpace05

  @Test
  void js05_aBatchIsWrittenTakenAndListed() throws Exception {
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
  void js05_largeEntriesComeInSeveralAnswers() throws Exception {
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
    MatchSet set = space.contents(List.of(template), null, 0, Long.MAX_VALUE);
    for (Entry each = set.next(); each != null; each = set.next()) {
      found.add(each);
    }
    return found;
  }

  private interface Waiting {
    Entry call() throws Exception;
  }

  /** Starts it and returns once its thread waits. */
  private static CompletableFuture<Entry> inBackground(Waiting waiting) {
    CompletableFuture<Entry> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(waiting.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    thread.start();
    await().until(() -> thread.getState() == Thread.State.WAITING || result.isDone());
    return result;
  }
}
