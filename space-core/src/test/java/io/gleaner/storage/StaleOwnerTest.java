package io.gleaner.storage;

import static io.gleaner.storage.Recovered.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a member may still do to the journal of cells that others have taken over. */
@Tag("F3")
@Timeout(120)
class StaleOwnerTest {
  private static final int CELLS = 4;
  private static final JournalSettings SMALL = new JournalSettings(CELLS, 1 << 12, 64 << 10, 100);

  @TempDir Path folder;

  @Test
  void itDeletesNothing() throws Exception {
    String place = TestStore.SERVER.in(folder);
    try (var itsDatabase = TestStore.open(place);
        var stale = Journal.open(itsDatabase, SMALL, cell -> {});
        var database = TestStore.open(place);
        var journal = Journal.open(database, SMALL, cell -> {})) {
      Recovered before = new Recovered(stale, CELLS);
      // It is idle: images of all its cells and nothing since, so it needs no batch.
      for (int cell = 0; cell < CELLS; cell++) {
        stale.append(cell, before.epochs.get(cell), 1, texts("a")).get(10, TimeUnit.SECONDS);
        Checkpoint image = stale.checkpoint(cell, before.epochs.get(cell), 1);
        image.part("an image".getBytes(StandardCharsets.UTF_8));
        image.complete();
      }
      Recovered taken = new Recovered(journal, CELLS);
      String text = "0123456789".repeat(300);
      for (long number = 2; number <= 41; number++) {
        for (int cell = 0; cell < CELLS; cell++) {
          journal
              .append(cell, taken.epochs.get(cell), number, texts(text))
              .get(10, TimeUnit.SECONDS);
        }
      }
      // It looks after the batches of others every five seconds.
      await()
          .during(Duration.ofSeconds(11))
          .atMost(Duration.ofSeconds(60))
          .until(() -> needed(database) >= 40 * CELLS);
      journal.close();
      try (var again = Journal.open(database, SMALL, cell -> {})) {
        assertThat(new Recovered(again, CELLS).last.values()).containsOnly(41L);
      }
    }
  }

  private static long needed(Database database) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM journal_batch WHERE batch >="
                    + " (SELECT MAX(keep_from) FROM partition_owner)")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void whatItSaidSoFarNeverBecomesDurable() throws Exception {
    String place = TestStore.SERVER.in(folder);
    try (var itsDatabase = TestStore.open(place);
        var stale = Journal.open(itsDatabase, SMALL, cell -> {});
        var database = TestStore.open(place);
        var journal = Journal.open(database, SMALL, cell -> {})) {
      Recovered before = new Recovered(stale, CELLS);
      journal.join("two", "one");
      Map<Integer, Long> unused = journal.claim("two", List.of("one"), List.of(0));
      CompletableFuture<Void> late = stale.append(0, before.epochs.get(0), 1, texts("late"));
      assertThatThrownBy(() -> late.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(Deposed.class);
      assertThatThrownBy(() -> stale.allSoFar().get(10, TimeUnit.SECONDS))
          .as("an image of another cell would wait for this")
          .hasCauseInstanceOf(Deposed.class);
    }
  }

  @Test
  void whenItIsFrozenInACommitTheServerEndsThat() throws Exception {
    String place = TestStore.SERVER.in(folder);
    try (var itsDatabase = TestStore.open(place);
        var stale = Journal.open(itsDatabase, SMALL, cell -> {});
        var database = TestStore.open(place);
        var journal = Journal.open(database, SMALL, cell -> {})) {
      assertThat(new Recovered(stale, CELLS).last.values()).containsOnly(0L);
      journal.join("two", "one");
      // Not closed here: the server does that.
      Connection frozen = itsDatabase.dataSource().getConnection();
      frozen.setAutoCommit(false);
      assertThat(new JournalTables(true).epochs(frozen, new Integer[] {0})).containsKey(0);
      assertThat(
              CompletableFuture.supplyAsync(
                      () -> journal.claim("two", List.of("one"), List.of(0, 1, 2, 3)))
                  .get(60, TimeUnit.SECONDS))
          .hasSize(CELLS);
    }
  }

  @Test
  void aCopyThatIsAheadOfTheDatabaseIsTold() throws Exception {
    String place = TestStore.SERVER.in(folder);
    try (var database = TestStore.open(place);
        var journal = Journal.open(database, SMALL, cell -> {})) {
      Recovered start = new Recovered(journal, CELLS);
      journal.append(0, start.epochs.get(0), 1, texts("a")).get(10, TimeUnit.SECONDS);
      Map<Integer, Long> taken = journal.claim("one", List.of(), List.of(0));
      assertThat(journal.recover(taken, Map.of(0, 5L), new Recovered())).isEqualTo(Map.of(0, 1L));
    }
  }

  @Test
  void ofTwoThatFoundTheSpaceAtOnceTheLaterOneDoes() throws Exception {
    String place = TestStore.SERVER.in(folder);
    try (var itsDatabase = TestStore.open(place);
        var stale = Journal.open(itsDatabase, SMALL, cell -> {});
        var database = TestStore.open(place);
        var journal = Journal.open(database, SMALL, cell -> {})) {
      Recovered first = new Recovered(stale, CELLS);
      Recovered second = new Recovered(journal, CELLS);
      assertThat(second.images).isEmpty();
      assertThatThrownBy(() -> stale.found(first.epochs, images("first")))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("another member has begun the space");
      journal.found(second.epochs, images("second"));
      assertThat(new Recovered(journal, CELLS).images.values())
          .hasSize(CELLS)
          .containsOnly("second");
    }
  }

  private static Map<Integer, byte[]> images(String text) {
    return IntStream.range(0, CELLS)
        .boxed()
        .collect(Collectors.toMap(cell -> cell, cell -> text.getBytes(StandardCharsets.UTF_8)));
  }
}
