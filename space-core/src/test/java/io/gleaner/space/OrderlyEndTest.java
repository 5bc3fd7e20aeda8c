package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.storage.Database;
import io.gleaner.storage.Journal;
import io.gleaner.storage.JournalSettings;
import io.gleaner.storage.Recovery;
import io.gleaner.storage.Schema;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A durable space that ends in order begins with images, one that is killed repeats its inputs. */
@Tag("F7")
@Timeout(180)
class OrderlyEndTest {
  private static final int MANY = 400;
  private static final String LONG = "0123456789".repeat(20);
  private static final int CELLS = KilledProgram.CELLS;

  @TempDir Path folder;

  @Test
  void littleIsRepeatedAfterAnOrderlyEndAndAllIsThere() throws Exception {
    try (var engine = start();
        var space = SpaceClient.open(engine, "test", "first")) {
      for (int i = 0; i < MANY; i++) {
        space.write(new SpreadNote(LONG + i, i), null, Lease.FOREVER);
      }
      assertThat(space.take(new SpreadNote(LONG + 0, null), null, 0)).isNotNull();
      engine.member().kill();
    }
    assertThat(inputsToRepeat()).isGreaterThan(MANY);
    start().close();
    assertThat(inputsToRepeat()).isLessThan(2 * CELLS);
    try (var engine = start();
        var space = SpaceClient.open(engine, "test", "second")) {
      assertThat(space.take(new SpreadNote(LONG + 0, null), null, 0)).isNull();
      for (int i = 1; i < MANY; i++) {
        assertThat(space.take(new SpreadNote(LONG + i, null), null, 0)).as("%d", i).isNotNull();
      }
    }
  }

  private HazelcastSpace start() {
    return HazelcastSpace.startDurable(KilledProgram.SETTINGS, StorageSettings.in(folder));
  }

  /** What a start would repeat. */
  private long inputsToRepeat() {
    AtomicLong inputs = new AtomicLong();
    try (var database = Database.open(StorageSettings.in(folder), Schema.SPACE);
        var journal = Journal.open(database, JournalSettings.of(CELLS), cell -> {})) {
      var cells = IntStream.range(0, CELLS).boxed().toList();
      journal.recover(
          journal.takeOver("counts", cells),
          Map.of(),
          new Recovery() {
            @Override
            public void image(int cell, long number, byte[] part) {}

            @Override
            public void record(int cell, long number, byte[] record) {
              inputs.incrementAndGet();
            }

            @Override
            public void end(int cell, long millis) {}
          });
    }
    return inputs.get();
  }
}
