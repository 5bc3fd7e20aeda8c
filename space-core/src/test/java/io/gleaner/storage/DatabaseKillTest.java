package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.TestJvm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a database file acknowledged is found after a kill, also when commits are rare. H2 2.5.252
 * fails this, though not in each round: the commit is in the file and is not found again. By hand,
 * {@code -Dgleaner.rounds} says how often it is killed.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DatabaseKillTest {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseKillTest.class);

  @TempDir Path folder;

  @Test
  void whatIsCommittedIsThereAfterEachKill() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    int rounds = Integer.getInteger("gleaner.rounds", 6);
    LOG.info("seed {}, {} rounds", seed, rounds);
    Random random = new Random(seed);
    int[] committed = new int[SparseCommits.WRITERS];
    for (int round = 0; round < rounds; round++) {
      killAfter(500 + random.nextInt(2_000), random.nextLong(), round, committed);
    }
    assertThat(committed).doesNotContain(0);
  }

  private void killAfter(int millis, long seed, int round, int[] committed) throws Exception {
    Process process = TestJvm.program(SparseCommits.class, folder, seed).start();
    int found = 0;
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("found")) {
          int writer = Integer.parseInt(words[1]);
          int last = Integer.parseInt(words[2]);
          assertThat(last)
              .as("round %s, writer %s", round, writer)
              .isGreaterThanOrEqualTo(committed[writer]);
          committed[writer] = last;
          if (++found == SparseCommits.WRITERS) {
            var unused =
                CompletableFuture.runAsync(
                    () -> process.toHandle().destroyForcibly(),
                    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
          }
        } else if (words[0].equals("committed") && words.length == 3) {
          committed[Integer.parseInt(words[1])] = Integer.parseInt(words[2]);
        } else {
          LOG.info("{}", line);
          assertThat(words[0]).isNotEqualTo("failed");
        }
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }
}
