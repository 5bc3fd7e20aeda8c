package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.space.core.Cell;
import io.gleaner.space.core.CellKey;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.Database;
import io.gleaner.storage.JournalSettings;
import io.gleaner.storage.Schema;
import io.gleaner.storage.ServerSettings;
import io.gleaner.storage.TestStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An image is kept behind its inputs, and behind what other cells did that led to them. */
@Tag("F2")
@Timeout(120)
class ImageOrderTest {
  private static final int CELLS = 2;

  @TempDir Path folder;

  @Test
  void anImageWaitsForItsInputs() throws Exception {
    String place = TestStore.SERVER.in(folder);
    ServerSettings server = ServerSettings.of(place, "gleaner", Optional.empty());
    try (Database beside = TestStore.open(place, Schema.SPACE);
        JournalKeeping keeping = JournalKeeping.open(server, JournalSettings.of(CELLS));
        Connection holds = beside.dataSource().getConnection()) {
      assertThat(keeping.restore("one")).isEmpty();
      List<Cell> cells =
          IntStream.range(0, CELLS)
              .mapToObj(i -> new Cell(i, CELLS, CellKey.random(new SecureRandom()), Limits.DEFAULT))
              .toList();
      keeping.found(cells);
      holds.setAutoCommit(false);
      try (Statement statement = holds.createStatement()) {
        statement.execute("LOCK TABLE journal_batch IN EXCLUSIVE MODE");
      }
      Input input = new Input(1, 1, new Input.WakeUp());
      cells.get(0).apply(input, Withheld.Silent.OUTBOX);
      AtomicBoolean kept = new AtomicBoolean();
      keeping.keep(0, List.of(input), () -> kept.set(true));
      var unused = keeping.keepImage(cells.get(0), 0);
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(60))
          .until(() -> !kept.get() && imageOf(beside) == 0);
      holds.rollback();
      await().atMost(Duration.ofSeconds(60)).until(() -> kept.get() && imageOf(beside) == 1);
    }
  }

  private static long imageOf(Database database) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT image_number FROM partition_owner WHERE cell = 0")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
