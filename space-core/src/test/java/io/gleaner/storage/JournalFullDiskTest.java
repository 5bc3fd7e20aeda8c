package io.gleaner.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Timeout(120)
class JournalFullDiskTest {
  private static final Logger LOG = LoggerFactory.getLogger(JournalFullDiskTest.class);
  private static final int COUNT = 200;

  @TempDir Path folder;

  /**
   * A limit on the length of files stands for the disk: it can be lifted while the process runs.
   */
  @Test
  @Tag("F13")
  void aFullDiskHoldsAppendsUpAndRoomLetsThemGoOn() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "prlimit is not there");
    String place = folder.resolve("space").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    "/usr/bin/prlimit",
                    "--fsize=2000000:unlimited",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:-UsePerfData",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FullDiskProgram.class.getName(),
                    place,
                    Integer.toString(COUNT)))
            .redirectErrorStream(true)
            .start();
    Thread ending = new Thread(() -> endAfterAWhile(process));
    ending.start();
    long acknowledged = 0;
    long stoppedAfter = 0;
    boolean done = false;
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("trouble after ")) {
          LOG.info("{}", line);
          stoppedAfter = Long.parseLong(line.substring("trouble after ".length()));
          assertThat(acknowledged).isEqualTo(stoppedAfter);
          liftLimitOf(process.pid());
        } else if (line.startsWith("durable 0 ")) {
          acknowledged = Long.parseLong(line.substring("durable 0 ".length()));
        } else if (line.equals("done")) {
          done = true;
        } else {
          LOG.info("{}", line);
        }
      }
    } finally {
      process.destroyForcibly();
      ending.interrupt();
    }
    assertThat(stoppedAfter).isBetween(1L, COUNT - 1L);
    assertThat(done).isTrue();
    try (var database = TestStore.open(place);
        var journal = Journal.open(database, JournalSettings.of(1), cell -> {})) {
      Recovered found = new Recovered(journal, 1);
      assertThat(found.last).containsEntry(0, (long) COUNT);
      assertThat(found.record(0, stoppedAfter + 1)).startsWith((stoppedAfter + 1) + ":0123456789");
    }
  }

  private static void endAfterAWhile(Process process) {
    try {
      if (!process.waitFor(90, TimeUnit.SECONDS)) {
        process.toHandle().destroyForcibly();
      }
    } catch (InterruptedException e) {
      LOG.debug("it ended by itself");
    }
  }

  private static void liftLimitOf(long pid) throws Exception {
    Process lift =
        new ProcessBuilder("/usr/bin/prlimit", "--pid", Long.toString(pid), "--fsize=unlimited:")
            .inheritIO()
            .start();
    assertThat(lift.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lift.exitValue()).isZero();
  }
}
