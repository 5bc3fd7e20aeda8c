package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions over several cells of a durable space are whole though the process is killed. By
 * hand, {@code -Dgleaner.rounds} says how often.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TokensTest {
  private static final Logger LOG = LoggerFactory.getLogger(TokensTest.class);

  @TempDir Path folder;

  @Test
  void noTokenIsLostOrDoubledByKills() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    int rounds = Integer.getInteger("gleaner.rounds", 3);
    LOG.info("seed {}, {} rounds", seed, rounds);
    Random random = new Random(seed);
    String all = IntStream.range(0, TokensProgram.TOKENS).boxed().toList().toString();
    for (int round = 0; round < rounds; round++) {
      Process process =
          TestJvm.program(TokensProgram.class, folder, round == 0 ? "first" : "next").start();
      try (BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          if (line.startsWith("found ")) {
            assertThat(line).as("round %s", round).isEqualTo("found " + all);
            boolean ended = process.waitFor(random.nextInt(2_000), TimeUnit.MILLISECONDS);
            assertThat(ended).isFalse();
            process.toHandle().destroyForcibly();
          } else {
            LOG.info("{}", line);
          }
        }
      } finally {
        process.destroyForcibly();
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
