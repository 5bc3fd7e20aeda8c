package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.TestJvm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kills a process that appends, again and again, and looks for what it had acknowledged. */
@Timeout(180)
class JournalHaltTest {
  private static final Logger LOG = LoggerFactory.getLogger(JournalHaltTest.class);
  private static final int CELLS = 6;
  private static final int KILLS = 2;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void whatWasDurableIsThereAfterTheProcessWasKilled(TestStore kind) throws Exception {
    String place = kind.in(folder);
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    LOG.info("seed {}", seed);
    Random random = new Random(seed);
    for (int kill = 0; kill < KILLS; kill++) {
      Map<Integer, Long> durable = runUntilKilled(place, 100 + random.nextInt(1_000));
      try (var database = TestStore.open(place);
          var journal = Journal.open(database, JournalSettings.of(CELLS), cell -> {})) {
        Recovered found = new Recovered(journal, CELLS);
        durable.forEach(
            (cell, number) ->
                assertThat(found.last.get(cell))
                    .as("cell %s", cell)
                    .isGreaterThanOrEqualTo(number));
        found.records.forEach(
            (cell, records) ->
                records.forEach(
                    (number, text) -> assertThat(text).startsWith(cell + ":" + number + ":")));
        found.images.forEach(
            (cell, text) -> assertThat(text).isEqualTo("image of " + found.imageNumbers.get(cell)));
        LOG.info("{}: recovered {} with images {}", kind, found.last, found.imageNumbers);
      }
    }
  }

  private static Map<Integer, Long> runUntilKilled(String place, int lines) throws Exception {
    Process process = TestJvm.program(AppendingProgram.class, place, CELLS, 64 << 10).start();
    Map<Integer, Long> durable = new HashMap<>();
    int heard = 0;
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("durable") && words.length == 3 && words[2].matches("\\d+")) {
          durable.put(Integer.valueOf(words[1]), Long.valueOf(words[2]));
          if (++heard == lines) {
            // What it said before it died counts too.
            process.toHandle().destroyForcibly();
          }
        } else {
          LOG.info("{}", line);
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(heard).isGreaterThanOrEqualTo(lines);
    return durable;
  }
}
