package io.gleaner.space.conformance;

import static io.gleaner.space.conformance.SpaceUnderTest.await;
import static io.gleaner.space.conformance.SpaceUnderTest.waiting;
import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Note;
import io.gleaner.space.SpreadNote;
import io.gleaner.space.UrgentNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.space.MatchSet;
import org.junit.jupiter.api.Timeout;

/** JavaSpaces specification, JS.2.10 MatchSet, JS.2.11 write, JS.2.12 take, JS.2.13 contents. */
@Timeout(120)
@SuppressWarnings({"unchecked", "rawtypes"}) // the interface is older than generics
class BatchesTest {
  private static final long MINUTE = 60_000;

  @Conformance
  void js2_11_everyEntryIsStoredEvenTheSameTwice(SpaceUnderTest at) throws Exception {
    Note twice = new Note("a", 1);
    assertThat(
            at.space.write(
                List.of(twice, twice, new SpreadNote("s", 2)),
                null,
                List.of(MINUTE, MINUTE, MINUTE)))
        .hasSize(3);
    assertThat(at.space.take(twice, null, NO_WAIT)).isNotNull();
    assertThat(at.space.take(twice, null, NO_WAIT)).isNotNull();
    assertThat(at.space.take(twice, null, NO_WAIT)).isNull();
    assertThat(at.space.take(new SpreadNote(), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  @Deviates(
      place = Place.OUTRIGGER,
      because = "from the second entry on, its proxy reads the numbers of the leases wrongly")
  void js2_11_eachLeaseIsThatOfItsEntry(SpaceUnderTest at) throws Exception {
    List<Lease> leases =
        at.space.write(
            List.of(new Note("a", 1), new Note("a", 2), new SpreadNote("s", 3)),
            null,
            List.of(MINUTE, MINUTE, MINUTE));
    leases.get(1).cancel();
    assertThat(at.space.take(new Note("a", 2), null, NO_WAIT)).isNull();
    leases.get(0).cancel();
    assertThat(at.space.take(new Note("a", 1), null, NO_WAIT)).isNull();
    leases.get(2).cancel();
    assertThat(at.space.take(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_11_eachEntryHasTheLeaseThatWasAskedForIt(SpaceUnderTest at) throws Exception {
    at.space.write(List.of(new Note("a", 1), new Note("a", 2)), null, List.of(200L, MINUTE));
    await().until(() -> at.space.read(new Note("a", 1), null, NO_WAIT) == null);
    assertThat(at.space.read(new Note("a", 2), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void js2_11_argumentsThatMakeNoSenseAreRefusedAndNothingIsStored(SpaceUnderTest at)
      throws Exception {
    refused(at, List.of(), List.of());
    refused(at, List.of(new Note()), List.of());
    refused(at, List.of(new Note()), List.of(MINUTE, MINUTE));
    refused(at, List.of(new Note(), "no entry"), List.of(MINUTE, MINUTE));
    refused(at, List.of(new Note(), new Note()), List.of(MINUTE, 1));
    refused(at, List.of(new Note(), new Note()), List.of(MINUTE, -2L));
    assertNull(at, null, List.of(MINUTE));
    assertNull(at, List.of(new Note()), null);
    assertNull(at, Arrays.asList(new Note(), null), List.of(MINUTE, MINUTE));
    assertNull(at, List.of(new Note(), new Note()), Arrays.asList(MINUTE, null));
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }

  private static void refused(SpaceUnderTest at, List entries, List leases) {
    assertThatThrownBy(() -> at.space.write(entries, null, leases))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertNull(SpaceUnderTest at, List entries, List leases) {
    assertThatThrownBy(() -> at.space.write(entries, null, leases))
        .isInstanceOf(NullPointerException.class);
  }

  @Conformance
  void js2_11_oneEntryThatCannotBeStoredKeepsTheOthersOut(SpaceUnderTest at) throws Exception {
    assertThatThrownBy(
            () ->
                at.space.write(
                    List.of(new Note("a", 1), new EntryClasses.PrimitiveField()),
                    null,
                    List.of(MINUTE, MINUTE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_11_aTransactionThatIsOverKeepsAllOfThemOut(SpaceUnderTest at) throws Exception {
    Transaction over = at.begin();
    over.abort(MINUTE);
    assertThatThrownBy(
            () ->
                at.space.write(
                    List.of(new Note("a", 1), new SpreadNote("s", 1)),
                    over,
                    List.of(MINUTE, MINUTE)))
        .isInstanceOf(TransactionException.class);
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_12_aTakeTakesWhatMatchesAnyTemplateUpToItsLimit(SpaceUnderTest at) throws Exception {
    write(at, 10);
    at.space.write(new UrgentNote("u", 100, "x"), null, FOREVER);
    Collection<Entry> three =
        at.space.take(List.of(new Note("topic1", null), new Note("topic2", null)), null, 0, 3);
    assertThat(three).isNotEmpty().hasSizeLessThanOrEqualTo(3).doesNotContainNull();
    int taken = three.size();
    for (Collection<Entry> more = three; !more.isEmpty(); taken += more.size()) {
      more =
          at.space.take(
              Arrays.asList(new Note("topic1", null), new Note("topic2", null), new Note("t", 1)),
              null,
              0,
              Long.MAX_VALUE);
    }
    assertThat(taken).isEqualTo(6);
    assertThat(at.space.read(new UrgentNote(), null, NO_WAIT)).isNotNull();
    assertThat(at.space.take(Arrays.asList(new Note("topic0", null), null), null, 0, 100))
        .isNotEmpty();
  }

  @Conformance
  void js2_12_whatMatchesTwoTemplatesIsTakenOnce(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Collection<Entry> taken =
        at.space.take(Arrays.asList(new Note("a", null), new Note(null, 1), null), null, 0, 10);
    assertThat(taken).hasSize(1);
  }

  @Conformance
  void js2_12_withoutAMatchItWaitsAndTakesWhatComes(SpaceUnderTest at) throws Exception {
    assertThat(at.space.take(List.of(new Note()), null, 50, 10)).isEmpty();
    CompletableFuture<Collection> taken =
        waiting(() -> at.space.take(List.of(new Note()), null, Long.MAX_VALUE, 10));
    at.space.write(new Note("a", 1), null, FOREVER);
    assertThat((Collection<Entry>) taken.get(60, TimeUnit.SECONDS)).hasSize(1);
  }

  @Conformance
  void js2_12_argumentsThatMakeNoSenseAreRefusedAndNothingIsTaken(SpaceUnderTest at)
      throws Exception {
    write(at, 1);
    refusedTake(at, List.of(), 0, 1);
    refusedTake(at, List.of("no entry"), 0, 1);
    refusedTake(at, List.of(new Note()), -1, 1);
    refusedTake(at, List.of(new Note()), 0, 0);
    refusedTake(at, List.of(new Note()), 0, -1);
    assertThatThrownBy(() -> at.space.take((Collection<?>) null, null, 0, 1))
        .isInstanceOf(NullPointerException.class);
    assertThat(at.space.read(null, null, NO_WAIT)).isNotNull();
  }

  private static void refusedTake(SpaceUnderTest at, Collection templates, long wait, long most) {
    assertThatThrownBy(() -> at.space.take(templates, null, wait, most))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Conformance
  void js2_12_underATransactionTheyComeBackWithItsAbort(SpaceUnderTest at) throws Exception {
    write(at, 4);
    Transaction transaction = at.begin();
    assertThat(at.space.take(List.of(new Note()), transaction, 0, 100)).isNotEmpty();
    transaction.abort(MINUTE);
    assertThat(listed(at, null, new Note())).hasSize(4);
  }

  @Conformance
  void js2_13_contentsAreAllThatMatchesAnyTemplateOnce(SpaceUnderTest at) throws Exception {
    write(at, 30);
    at.space.write(new UrgentNote("topic1", 100, "x"), null, FOREVER);
    assertThat(listed(at, null, new Note())).hasSize(31);
    assertThat(listed(at, null, new Note("topic1", null), new Note("topic1", 1))).hasSize(11);
    assertThat(listed(at, null, new Entry[] {null})).hasSize(31);
    assertThat(listed(at, null, new Note("never", null))).isEmpty();
    assertThat(listed(at, null, new Note())).as("nothing was taken").hasSize(31);
  }

  @Conformance
  void js2_13_largeContentsComeWhole(SpaceUnderTest at) throws Exception {
    for (int part = 0; part < 3; part++) {
      List<Entry> notes = new ArrayList<>();
      for (int i = 0; i < 90; i++) {
        notes.add(new SpreadNote("s" + i % 7, part * 90 + i));
      }
      at.space.write(notes, null, Collections.nCopies(notes.size(), FOREVER));
    }
    List<Entry> listed = listed(at, null, new SpreadNote());
    assertThat(listed.stream().map(each -> ((SpreadNote) each).number).distinct()).hasSize(270);
    assertThat(listed).hasSize(270);
  }

  @Conformance
  void js2_13_noMoreThanWhatWasAskedForIsYielded(SpaceUnderTest at) throws Exception {
    write(at, 10);
    MatchSet set = at.space.contents(List.of(new Note()), null, MINUTE, 4);
    for (int i = 0; i < 4; i++) {
      assertThat(set.next()).isNotNull();
    }
    assertThat(set.next()).isNull();
    assertThat(set.next()).isNull();
  }

  @Conformance
  void js2_10_4_theSnapshotIsOfTheEntryThatNextReturned(SpaceUnderTest at) throws Exception {
    write(at, 1);
    MatchSet set = at.space.contents(List.of(new Note()), null, MINUTE, 10);
    assertThatThrownBy(set::getSnapshot).isInstanceOf(IllegalStateException.class);
    assertThat(set.next()).isNotNull();
    Entry snapshot = set.getSnapshot();
    assertThat(at.space.take(snapshot, null, NO_WAIT)).isInstanceOf(Note.class);
  }

  @Conformance
  @Deviates(
      place = Place.OUTRIGGER,
      because = "its match set keeps the snapshot of the last entry when next() has no other")
  void js2_10_4_withoutAnEntryThereIsNoSnapshot(SpaceUnderTest at) throws Exception {
    write(at, 1);
    MatchSet set = at.space.contents(List.of(new Note()), null, MINUTE, 10);
    assertThat(set.next()).isNotNull();
    assertThat(set.next()).isNull();
    assertThatThrownBy(set::getSnapshot).isInstanceOf(IllegalStateException.class);
  }

  @Conformance
  void js2_10_3_aMatchSetThatIsLeasedHasALeaseOfAtMostWhatWasAsked(SpaceUnderTest at)
      throws Exception {
    write(at, 3);
    long before = System.currentTimeMillis();
    MatchSet set = at.space.contents(List.of(new Note()), null, MINUTE, 10);
    if (set.getLease() != null) {
      assertThat(set.getLease().getExpiration())
          .isBetween(before, System.currentTimeMillis() + MINUTE);
    }
  }

  @Conformance
  void js2_13_underATransactionWhatWasYieldedIsLockedAsIfRead(SpaceUnderTest at) throws Exception {
    write(at, 3);
    Transaction transaction = at.begin();
    at.space.write(new Note("own", 9), transaction, FOREVER);
    assertThat(listed(at, transaction, new Note())).hasSize(4);
    assertThat(at.space.take(new Note(), null, NO_WAIT)).isNull();
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNotNull();
    transaction.commit(MINUTE);
    assertThat(at.space.take(new Note(), null, MINUTE)).isNotNull();
  }

  @Conformance
  void js2_13_whatATransactionHidesIsNotListed(SpaceUnderTest at) throws Exception {
    write(at, 3);
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note(null, 1), transaction, NO_WAIT)).isNotNull();
    at.space.write(new Note("own", 9), transaction, FOREVER);
    assertThat(listed(at, null, new Note())).hasSize(2);
    assertThat(listed(at, transaction, new Note())).hasSize(3);
  }

  @Conformance
  void js2_13_argumentsThatMakeNoSenseAreRefused(SpaceUnderTest at) {
    refusedContents(at, List.of(), MINUTE, 1);
    refusedContents(at, List.of("no entry"), MINUTE, 1);
    refusedContents(at, List.of(new Note()), 0, 1);
    refusedContents(at, List.of(new Note()), -2, 1);
    refusedContents(at, List.of(new Note()), MINUTE, 0);
    refusedContents(at, List.of(new Note()), MINUTE, -1);
    assertThatThrownBy(() -> at.space.contents(null, null, MINUTE, 1))
        .isInstanceOf(NullPointerException.class);
  }

  private static void refusedContents(
      SpaceUnderTest at, Collection templates, long lease, long most) {
    assertThatThrownBy(() -> at.space.contents(templates, null, lease, most))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void write(SpaceUnderTest at, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      at.space.write(new Note("topic" + i % 3, i), null, FOREVER);
    }
  }

  private static List<Entry> listed(SpaceUnderTest at, Transaction transaction, Entry... templates)
      throws Exception {
    MatchSet set = at.space.contents(Arrays.asList(templates), transaction, MINUTE, Long.MAX_VALUE);
    List<Entry> listed = new ArrayList<>();
    for (Entry each = set.next(); each != null; each = set.next()) {
      listed.add(Objects.requireNonNull(each));
    }
    return listed;
  }
}
