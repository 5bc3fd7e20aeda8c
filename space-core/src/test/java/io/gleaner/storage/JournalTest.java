package io.gleaner.storage;

import static io.gleaner.storage.Recovered.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class JournalTest {
  private static final int CELLS = 4;
  private static final JournalSettings SETTINGS = JournalSettings.of(CELLS);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void whatWasAppendedIsRecoveredInItsOrder(TestStore kind) throws Exception {
    String place = kind.in(folder);
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered start = new Recovered(journal, CELLS);
      assertThat(start.last).hasSize(CELLS).containsEntry(0, 0L);
      append(journal, start, 0, 1, "a", "b");
      append(journal, start, 3, 1, "x");
      append(journal, start, 0, 3, "c");
    }
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.records)
          .isEqualTo(Map.of(0, Map.of(1L, "a", 2L, "b", 3L, "c"), 3, Map.of(1L, "x")));
      assertThat(again.last).isEqualTo(Map.of(0, 3L, 1, 0L, 2, 0L, 3, 1L));
      assertThat(again.epochs).containsEntry(0, 2L);
      append(journal, again, 0, 4, "d");
      Map<Integer, Long> taken = journal.takeOver("two", Set.of(0));
      assertThat(journal.recover(taken, Map.of(0, 4L), again)).isEqualTo(Map.of(0, 4L));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anImageReplacesTheRecordsUpToItsNumber(TestStore kind) throws Exception {
    String place = kind.in(folder);
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered start = new Recovered(journal, CELLS);
      append(journal, start, 1, 1, "a", "b");
      Checkpoint abandoned = journal.checkpoint(1, start.epochs.get(1), 2);
      abandoned.part("no".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      abandoned.part("no".getBytes(java.nio.charset.StandardCharsets.UTF_8));

      Checkpoint image = journal.checkpoint(1, start.epochs.get(1), 2);
      append(journal, start, 1, 3, "c");
      texts("im", "ag", "e").forEach(image::part);
      image.complete();
      append(journal, start, 1, 4, "d");
    }
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.images).isEqualTo(Map.of(1, "image"));
      assertThat(again.imageNumbers).isEqualTo(Map.of(1, 2L));
      assertThat(again.records).isEqualTo(Map.of(1, Map.of(3L, "c", 4L, "d")));
    }
  }

  @Test
  void anImageOfAnEarlierTimeDoesNotTakeThePlaceOfALaterOne() throws Exception {
    try (var database = TestStore.open(folder.toString());
        var journal = open(database)) {
      Recovered start = new Recovered(journal, CELLS);
      append(journal, start, 1, 1, "a");
      Checkpoint early = journal.checkpoint(1, start.epochs.get(1), 1);
      append(journal, start, 1, 2, "b");
      Checkpoint late = journal.checkpoint(1, start.epochs.get(1), 2);
      texts("la", "te").forEach(late::part);
      late.complete();
      texts("ear", "ly").forEach(early::part);
      early.complete();
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.images).isEqualTo(Map.of(1, "late"));
      assertThat(again.last).containsEntry(1, 2L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTakesLongToRepeatIsKnownAndWhatNobodyNeedsIsNotReadAgain(TestStore kind)
      throws Exception {
    String place = kind.in(folder);
    String text = "0123456789".repeat(1_000);
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered start = new Recovered(journal, CELLS);
      assertThat(journal.slowToRepeat()).isEmpty();
      append(journal, start, 0, 1, "little");
      append(journal, start, 1, 1, text, text);
      append(journal, start, 2, 1, text, text, text, text, text);
      assertThat(journal.slowToRepeat()).containsExactly(2, 1, 0);
      journal.release(2);
      assertThat(journal.slowToRepeat()).as("too little to be worth it").isEmpty();
    }
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered start = new Recovered(journal, CELLS);
      assertThat(journal.slowToRepeat()).containsExactly(2, 1, 0);
      for (int cell : journal.slowToRepeat()) {
        Checkpoint image = journal.checkpoint(cell, start.epochs.get(cell), start.last.get(cell));
        image.part(new byte[1_000]);
        image.complete();
      }
      assertThat(journal.slowToRepeat()).isEmpty();
      append(journal, start, 0, 2, "after");
      assertThat(rows(database)).isEqualTo(4);
    }
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.records).isEqualTo(Map.of(0, Map.of(2L, "after")));
      append(journal, again, 0, 3, "goes on");
      org.awaitility.Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> rows(database) == 2);
    }
  }

  @Test
  void anOldOwnerIsDeposedAndNothingThatItSaysLaterIsKept() throws Exception {
    String place = TestStore.SERVER.in(folder);
    try (var oldDatabase = TestStore.open(place);
        var old = open(oldDatabase);
        var newDatabase = TestStore.open(place);
        var other = open(newDatabase)) {
      Recovered before = new Recovered(old, CELLS);
      append(old, before, 0, 1, "a");
      append(old, before, 1, 1, "x");
      other.join("other", "one");
      old.allSoFar().get(60, TimeUnit.SECONDS);

      Map<Integer, Long> taken = other.claim("other", List.of("one"), List.of(0));
      Recovered tail = new Recovered();
      assertThat(other.recover(taken, Map.of(0, 0L), tail)).isEqualTo(Map.of(0, 1L));
      assertThat(tail.records).isEqualTo(Map.of(0, Map.of(1L, "a")));
      assertThatThrownBy(() -> old.claim("one", List.of(), List.of(0)))
          .isInstanceOf(Expelled.class)
          .hasMessageContaining("its other members go on without it");

      // What is said of other cells may follow from what is refused.
      CompletableFuture<Void> late = old.append(0, before.epochs.get(0), 2, texts("late"));
      CompletableFuture<Void> later = old.append(1, before.epochs.get(1), 2, texts("y"));
      for (CompletableFuture<Void> each : List.of(late, later, old.allSoFar())) {
        assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOf(Deposed.class);
      }
      Checkpoint image = old.checkpoint(0, before.epochs.get(0), 1);
      image.part(new byte[3]);
      assertThatThrownBy(() -> image.part(new byte[3])).isInstanceOf(Deposed.class);
      assertThatThrownBy(image::complete).isInstanceOf(Deposed.class);

      other.append(0, taken.get(0), 2, texts("b")).get(60, TimeUnit.SECONDS);
      Recovered all = new Recovered(other, CELLS);
      assertThat(all.records).isEqualTo(Map.of(0, Map.of(1L, "a", 2L, "b"), 1, Map.of(1L, "x")));
      assertThat(all.images).isEmpty();
    }
  }

  @Test
  void twoMembersWriteAndNeitherDropsWhatTheOtherNeeds() throws Exception {
    String place = TestStore.SERVER.in(folder);
    JournalSettings small = new JournalSettings(CELLS, 1 << 12, 64 << 10, 100);
    ConcurrentLinkedQueue<Integer> wanted = new ConcurrentLinkedQueue<>();
    long[] last = new long[CELLS];
    try (var database = TestStore.open(place);
        var first = Journal.open(database, small, wanted::add);
        var secondDatabase = TestStore.open(place);
        var second = Journal.open(secondDatabase, small, cell -> {})) {
      Recovered start = new Recovered(first, CELLS);
      append(first, start, 0, ++last[0], "of the first");
      append(first, start, 3, ++last[3], "before the move");
      second.join("two", "one");
      first.release(3);
      Map<Integer, Long> taken = second.claim("two", List.of(), List.of(3));
      second.recover(taken, Map.of(3, 1L), start);
      second.append(3, taken.get(3), ++last[3], texts("of the second")).get(60, TimeUnit.SECONDS);
      String text = "0123456789".repeat(400);
      for (int i = 0; i < 500; i++) {
        append(first, start, i % 3, ++last[i % 3], text);
        for (Integer due = wanted.poll(); due != null; due = wanted.poll()) {
          Checkpoint image = first.checkpoint(due, start.epochs.get(due), last[due]);
          image.part(("image " + last[due]).getBytes(java.nio.charset.StandardCharsets.UTF_8));
          image.complete();
        }
      }
      // The second one still needs the first batches: it has no image of its cell yet.
      assertThat(rows(database)).isGreaterThan(400);
      Checkpoint image = second.checkpoint(3, taken.get(3), 2);
      image.part("image 2".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      image.complete();
      // It measures what the other one wrote and lets go of it, though it writes nothing itself.
      org.awaitility.Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> rows(database) < 200);
    }
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.last).isEqualTo(Map.of(0, last[0], 1, last[1], 2, last[2], 3, 2L));
    }
  }

  @Test
  void numbersHaveNoGaps() throws Exception {
    try (var database = TestStore.open(folder.toString());
        var journal = open(database)) {
      Recovered start = new Recovered(journal, CELLS);
      append(journal, start, 0, 1, "a");
      assertThatThrownBy(() -> journal.append(0, start.epochs.get(0), 3, texts("c")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("goes on with input 3, expected 2");
      assertThat(journal.append(0, 0, 2, texts("b")))
          .failsWithin(60, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(Deposed.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theJournalStaysShortWhenItsImagesAreTaken(TestStore kind) throws Exception {
    String place = kind.in(folder);
    ConcurrentLinkedQueue<Integer> wanted = new ConcurrentLinkedQueue<>();
    JournalSettings small = new JournalSettings(CELLS, 1 << 12, 64 << 10, 100);
    try (var database = TestStore.open(place);
        var journal = Journal.open(database, small, wanted::add)) {
      Recovered start = new Recovered(journal, CELLS);
      long[] last = new long[CELLS];
      // Cell 3 says something once; it must not hold the rest for ever.
      append(journal, start, 3, ++last[3], "once");
      String text = "0123456789".repeat(400);
      for (int i = 0; i < 500; i++) {
        int cell = i % 3;
        append(journal, start, cell, ++last[cell], text);
        for (Integer due = wanted.poll(); due != null; due = wanted.poll()) {
          Checkpoint image = journal.checkpoint(due, start.epochs.get(due), last[due]);
          image.part(("image " + last[due]).getBytes(java.nio.charset.StandardCharsets.UTF_8));
          image.complete();
        }
      }
      assertThat(rows(database)).isLessThan(100);
    }
    try (var database = TestStore.open(place);
        var journal = open(database)) {
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.last).isEqualTo(Map.of(0, 167L, 1, 167L, 2, 166L, 3, 1L));
      assertThat(again.images).containsEntry(3, "image 1").hasSize(CELLS);
      again.imageNumbers.forEach(
          (cell, number) ->
              assertThat(again.last.get(cell) - number)
                  .isEqualTo(again.records.getOrDefault(cell, new java.util.TreeMap<>()).size()));
    }
  }

  @Test
  void aJournalOfAnotherNumberOfCellsIsRefused() {
    try (var database = TestStore.open(folder.toString())) {
      open(database).close();
      assertThatThrownBy(() -> Journal.open(database, JournalSettings.of(5), cell -> {}))
          .asInstanceOf(type(StorageException.class))
          .returns(StorageException.Code.FORMAT, StorageException::code)
          .extracting(Throwable::getMessage)
          .asString()
          .contains("with 4 cells; expected format 5 with 5 cells");
    }
  }

  @Test
  void aServerThatForgetsCommitsIsRefused() throws Exception {
    try (var server = PostgresServer.start("synchronous_commit=off")) {
      assertThatThrownBy(
              () ->
                  Database.connect(
                      ServerSettings.of(server.url(), "gleaner", Optional.empty()), Schema.SPACE))
          .asInstanceOf(type(StorageException.class))
          .returns(StorageException.Code.NOT_DURABLE, StorageException::code);
    }
  }

  @Test
  void aServerThatCannotBeUsedIsRefusedWithTheReason() throws Exception {
    String place = TestStore.SERVER.in(folder);
    String other = place.replaceAll("/[^/?]*[?]", "/nowhere?");
    assertThatThrownBy(() -> TestStore.open(other))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("there is no database jdbc:postgresql://127.0.0.1:");
    ServerSettings stranger =
        ServerSettings.of(
            place.split("[?]", 2)[0] + "?password=tell-nobody", "nobody", Optional.empty());
    assertThatThrownBy(() -> Database.connect(stranger, Schema.SPACE))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("does not let user nobody into")
        .hasMessageNotContaining("tell-nobody");
    assertThatThrownBy(() -> TestStore.open("jdbc:postgresql://127.0.0.1:1/space"))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("check that its server runs, and its address");
  }

  @Test
  void aServerThatAsksForAPasswordIsToldApartFromOneThatIsAway() throws Exception {
    try (var server = PostgresServer.start()) {
      server.asksForPasswords();
      assertThatThrownBy(() -> connectAs(server, Optional.empty()))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("asks user gleaner for a password");
      assertThatThrownBy(() -> connectAs(server, Optional.of("wrong")))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("does not let user gleaner into")
          .hasMessageNotContaining("wrong");
    }
  }

  private static void connectAs(PostgresServer server, Optional<String> password) {
    Database.connect(ServerSettings.of(server.url(), "gleaner", password), Schema.SPACE).close();
  }

  @Test
  void aServerThatIsAwayHoldsAppendsUpAndLosesNone() throws Exception {
    try (var server = PostgresServer.start();
        var database = TestStore.open(server.url());
        var journal =
            Journal.open(database, new JournalSettings(CELLS, 4096, 1 << 20, 50), c -> {})) {
      Recovered start = new Recovered(journal, CELLS);
      append(journal, start, 0, 1, "a");
      server.kill();
      List<CompletableFuture<Void>> held = new ArrayList<>();
      for (int i = 2; i <= 20; i++) {
        held.add(journal.append(0, start.epochs.get(0), i, texts("text " + i)));
      }
      org.awaitility.Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> journal.trouble().isPresent());
      assertThat(held).noneMatch(CompletableFuture::isDone);
      assertThat(journal.trouble().orElseThrow()).hasMessageContaining("nothing is acknowledged");

      server.startAgain();
      CompletableFuture.allOf(held.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
      assertThat(journal.trouble()).isEmpty();
      Recovered again = new Recovered(journal, CELLS);
      assertThat(again.records.get(0)).hasSize(20).containsEntry(20L, "text 20");
    }
  }

  private static Journal open(Database database) {
    return Journal.open(database, SETTINGS, cell -> {});
  }

  private static void append(
      Journal journal, Recovered start, int cell, long first, String... texts) throws Exception {
    journal.append(cell, start.epochs.get(cell), first, texts(texts)).get(60, TimeUnit.SECONDS);
  }

  private static long rows(Database database) throws Exception {
    try (var connection = database.dataSource().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM journal_batch")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
