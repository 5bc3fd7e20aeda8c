package io.gleaner.sandbox;

import static org.awaitility.Awaitility.await;

import io.gleaner.sandbox.programs.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A child never outlives its launcher by more than a second. */
@Timeout(120)
class OrphanTest {
  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  private static final Logger LOG = LoggerFactory.getLogger(OrphanTest.class);

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"Sleepy,false", "Spin,false", "Thrash,false", "Spin,true"})
  void aChildDiesWithALauncherThatIsKilled(String program, boolean stopped) throws Exception {
    Process launcher =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Orphanage.class.getName(),
                Bundles.writeTo(temp).toString(),
                temp.resolve("children").toString(),
                Programs.class.getName() + "$" + program)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = launcher.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
      Duration warm = Duration.ofMillis(program.equals("Sleepy") ? 150 : 800);
      await()
          .until(() -> child.info().totalCpuDuration().orElse(Duration.ZERO).compareTo(warm) > 0);
      if (stopped) {
        new ProcessBuilder("kill", "-STOP", Long.toString(child.pid())).start().waitFor();
      }
      long killed = System.nanoTime();
      launcher.destroyForcibly();
      await().pollInterval(Duration.ofMillis(5)).until(() -> !lives(child.pid()));
      LOG.info(
          "the child of {} (stopped: {}) followed its launcher after {} ms",
          program,
          stopped,
          (System.nanoTime() - killed) / 1_000_000);
    } finally {
      launcher.destroyForcibly();
    }
  }

  /** A process that died but was not yet collected by its new parent lives no more. */
  private static boolean lives(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return !stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z");
    } catch (IOException gone) {
      return false;
    }
  }
}
