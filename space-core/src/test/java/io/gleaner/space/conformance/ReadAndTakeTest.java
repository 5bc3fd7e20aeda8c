package io.gleaner.space.conformance;

import static io.gleaner.space.conformance.SpaceUnderTest.await;
import static io.gleaner.space.conformance.SpaceUnderTest.waiting;
import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Note;
import io.gleaner.space.UrgentNote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace05;
import org.junit.jupiter.api.Timeout;

/** JavaSpaces specification, JS.2.3 write, JS.2.4 read, JS.2.5 take, JS.2.6 snapshot. */
@Timeout(120)
class ReadAndTakeTest {
  private static final long WAIT = 30_000;

  @Conformance
  void js2_3_aWriteStoresACopyAndLeavesTheEntryAlone(SpaceUnderTest at) throws Exception {
    Note note = new Note("a", 1);
    at.space.write(note, null, FOREVER);
    assertThat(note.number).isEqualTo(1);
    note.number = 2;
    assertThat(((Note) at.space.read(new Note(), null, NO_WAIT)).number).isEqualTo(1);
  }

  @Conformance
  void js2_3_eachWriteStoresANewEntry(SpaceUnderTest at) throws Exception {
    Note note = new Note("a", 1);
    at.space.write(note, null, FOREVER);
    at.space.write(note, null, FOREVER);
    assertThat(at.space.take(note, null, NO_WAIT)).isNotNull();
    assertThat(at.space.take(note, null, NO_WAIT)).isNotNull();
    assertThat(at.space.take(note, null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_3_aNegativeLeaseThatIsNotAnyIsRefused(SpaceUnderTest at) throws Exception {
    assertThatThrownBy(() -> at.space.write(new Note(), null, -2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> at.space.write(new Note(), null, Long.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_3_withItsLeaseTheEntryIsGone(SpaceUnderTest at) throws Exception {
    Lease lease = at.space.write(new Note("a", 1), null, 200);
    assertThat(lease.getExpiration()).isLessThanOrEqualTo(System.currentTimeMillis() + 200);
    await().until(() -> at.space.read(new Note(), null, NO_WAIT) == null);
    assertThat(at.space.take(new Note(), null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_4_whatIsReadStays(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Entry first = at.space.read(new Note(), null, NO_WAIT);
    Entry second = at.space.readIfExists(new Note(), null, NO_WAIT);
    assertThat(first).isNotNull();
    assertThat(second).isNotNull().isNotSameAs(first);
  }

  @Conformance
  void js2_4_withoutAMatchNothingIsReadAndNothingWaitsForIt(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("b", 1), null, FOREVER);
    assertThat(at.space.read(new Note("a", null), null, NO_WAIT)).isNull();
    assertThat(at.space.readIfExists(new Note("a", null), null, NO_WAIT)).isNull();
    assertThat(at.space.readIfExists(new Note("a", null), null, Long.MAX_VALUE)).isNull();
    assertThat(at.space.takeIfExists(new Note("a", null), null, Long.MAX_VALUE)).isNull();
  }

  @Conformance
  void js2_4_aNullTemplateMatchesEverything(SpaceUnderTest at) throws Exception {
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
    at.space.write(new UrgentNote("a", 1, "x"), null, FOREVER);
    assertThat(at.space.read(null, null, NO_WAIT)).isInstanceOf(UrgentNote.class);
    assertThat(at.space.readIfExists(null, null, NO_WAIT)).isNotNull();
    assertThat(at.space.takeIfExists(null, null, NO_WAIT)).isNotNull();
    assertThat(at.space.take(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void en1_5_nullFieldsAreWildcardsAndOthersMatchExactly(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    assertThat(at.space.read(new Note("a", null), null, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note(null, 1), null, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note("a", 1), null, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note("a", 2), null, NO_WAIT)).isNull();
    assertThat(at.space.read(new Note("b", 1), null, NO_WAIT)).isNull();
  }

  @Conformance
  void en1_5_aFieldThatIsNullInTheEntryMatchesOnlyAWildcard(SpaceUnderTest at) throws Exception {
    at.space.write(new Note(null, 1), null, FOREVER);
    assertThat(at.space.read(new Note("a", null), null, NO_WAIT)).isNull();
    assertThat(at.space.read(new Note("", null), null, NO_WAIT)).isNull();
    assertThat(((Note) at.space.read(new Note(null, 1), null, NO_WAIT)).topic).isNull();
  }

  @Conformance
  void en1_5_aTemplateMatchesSubtypesAndNotSupertypes(SpaceUnderTest at) throws Exception {
    at.space.write(new UrgentNote("a", 1, "x"), null, FOREVER);
    assertThat(at.space.read(new Note("a", 1), null, NO_WAIT)).isInstanceOf(UrgentNote.class);
    assertThat(at.space.take(new UrgentNote("a", null, "x"), null, NO_WAIT)).isNotNull();
    at.space.write(new Note("a", 1), null, FOREVER);
    assertThat(at.space.read(new UrgentNote(), null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_4_aNegativeTimeOutIsRefused(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    for (long millis : new long[] {-1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> at.space.read(new Note(), null, millis))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> at.space.readIfExists(new Note(), null, millis))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> at.space.take(new Note(), null, millis))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> at.space.takeIfExists(new Note(), null, millis))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(at.space.read(new Note(), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void js2_4_aReadWaitsUntilAMatchIsWritten(SpaceUnderTest at) throws Exception {
    CompletableFuture<Entry> read =
        waiting(() -> at.space.read(new Note("a", null), null, Long.MAX_VALUE));
    CompletableFuture<Entry> other =
        waiting(() -> at.space.read(new Note(null, 2), null, Long.MAX_VALUE));
    at.space.write(new Note("b", 1), null, FOREVER);
    assertThat(read).isNotDone();
    at.space.write(new Note("a", 2), null, FOREVER);
    assertThat(((Note) get(read)).number).isEqualTo(2);
    assertThat(((Note) get(other)).number).isEqualTo(2);
    assertThat(at.space.take(new Note("a", 2), null, NO_WAIT)).as("both only read").isNotNull();
  }

  @Conformance
  void js2_5_aTakeWaitsUntilAMatchIsWritten(SpaceUnderTest at) throws Exception {
    CompletableFuture<Entry> taken =
        waiting(() -> at.space.take(new Note("a", null), null, Long.MAX_VALUE));
    at.space.write(new Note("b", 1), null, FOREVER);
    at.space.write(new Note("a", 2), null, FOREVER);
    assertThat(((Note) get(taken)).number).isEqualTo(2);
    assertThat(at.space.read(new Note("a", null), null, NO_WAIT)).isNull();
    assertThat(at.space.read(new Note("b", null), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void js2_5_aTakeOfAnythingWakesWithAClassThatTheSpaceHasNotSeen(SpaceUnderTest at)
      throws Exception {
    CompletableFuture<Entry> taken = waiting(() -> at.space.take(null, null, WAIT));
    at.space.write(new UrgentNote("a", 2, "x"), null, FOREVER);
    assertThat(get(taken)).isInstanceOf(UrgentNote.class);
  }

  @Conformance
  void js2_5_aTimeOutEndsTheWait(SpaceUnderTest at) throws Exception {
    long before = System.nanoTime();
    assertThat(at.space.take(new Note("never", null), null, 100)).isNull();
    assertThat(at.space.read(new Note("never", null), null, 100)).isNull();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(ms(198));
    at.space.write(new Note("never", 1), null, FOREVER);
    assertThat(at.space.read(new Note("never", null), null, NO_WAIT)).as("not taken").isNotNull();
  }

  @Conformance
  void js2_5_twoTakesNeverReturnTheSameEntry(SpaceUnderTest at) throws Exception {
    for (int i = 0; i < 40; i++) {
      at.space.write(new Note("a", i), null, FOREVER);
    }
    List<CompletableFuture<List<Integer>>> takers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      CompletableFuture<List<Integer>> taken = new CompletableFuture<>();
      SpaceUnderTest.thread(() -> takeAll(at.space), taken);
      takers.add(taken);
    }
    Set<Integer> all = new HashSet<>();
    int count = 0;
    for (CompletableFuture<List<Integer>> each : takers) {
      count += get(each).size();
      all.addAll(get(each));
    }
    assertThat(count).isEqualTo(40);
    assertThat(all).hasSize(40);
  }

  private static List<Integer> takeAll(JavaSpace05 space) throws Exception {
    List<Integer> taken = new ArrayList<>();
    Note found = (Note) space.take(new Note("a", null), null, NO_WAIT);
    while (found != null) {
      taken.add(found.number);
      found = (Note) space.take(new Note("a", null), null, NO_WAIT);
    }
    return taken;
  }

  @Conformance
  void js2_5_ofManyWaitingTakesOneGetsTheEntry(SpaceUnderTest at) throws Exception {
    List<CompletableFuture<Entry>> takes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Entry template = i % 2 == 0 ? null : new Note("a", null);
      takes.add(waiting(() -> at.space.take(template, null, 1_500)));
    }
    at.space.write(new Note("a", 2), null, FOREVER);
    long got = 0;
    for (CompletableFuture<Entry> take : takes) {
      got += get(take) == null ? 0 : 1;
    }
    assertThat(got).isEqualTo(1);
  }

  @Conformance
  @Deviates(
      place = Place.OUTRIGGER,
      because = "a call over JERI cannot be interrupted: it goes on until its time-out")
  void js2_4_anInterruptEndsTheWaitAndTakesNothing(SpaceUnderTest at) throws Exception {
    CompletableFuture<Entry> taken = new CompletableFuture<>();
    Thread thread =
        SpaceUnderTest.thread(() -> at.space.take(new Note("a", null), null, 3_000), taken);
    await().until(() -> thread.getState() == Thread.State.WAITING);
    thread.interrupt();
    assertThatThrownBy(() -> get(taken)).hasCauseInstanceOf(InterruptedException.class);
    at.space.write(new Note("a", 1), null, FOREVER);
    assertThat(at.space.take(new Note("a", null), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void js2_6_aSnapshotServesAsEntryAndAsTemplate(SpaceUnderTest at) throws Exception {
    Note note = new Note("a", 1);
    Entry snapshot = at.space.snapshot(note);
    note.number = 2;
    at.space.write(snapshot, null, FOREVER);
    at.space.write(snapshot, null, FOREVER);
    assertThat(((Note) at.space.read(snapshot, null, NO_WAIT)).number).isEqualTo(1);
    assertThat(at.space.take(snapshot, null, NO_WAIT)).isInstanceOf(Note.class);
    assertThat(at.space.takeIfExists(snapshot, null, NO_WAIT)).isNotNull();
    assertThat(at.space.readIfExists(snapshot, null, NO_WAIT)).isNull();
  }

  @Conformance
  void js2_6_aSnapshotOfNullIsATemplateThatMatchesEverything(SpaceUnderTest at) throws Exception {
    Entry snapshot = at.space.snapshot(null);
    at.space.write(new Note("a", 1), null, FOREVER);
    assertThat(at.space.read(snapshot, null, NO_WAIT)).isInstanceOf(Note.class);
    assertThatThrownBy(() -> at.space.write(snapshot, null, FOREVER))
        .as("a template of anything is no entry")
        .isInstanceOf(RuntimeException.class);
    assertThat(at.space.take(null, null, NO_WAIT)).isInstanceOf(Note.class);
    assertThat(at.space.take(null, null, NO_WAIT)).isNull();
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }
}
