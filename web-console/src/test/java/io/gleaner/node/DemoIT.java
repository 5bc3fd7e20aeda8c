package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The one command of the README, as a stranger runs it on a built checkout. */
@Timeout(300)
class DemoIT {
  @TempDir private Path folder;

  @Test
  void theDemoRendersItsPictureAndLeavesNothingBehind() throws Exception {
    Path root = Path.of("").toAbsolutePath().getParent();
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(
            root.resolve("gleaner").toString(),
            "up",
            "--demo",
            "--once",
            "--data",
            folder.resolve("demo").toString(),
            "--gateway-port",
            "0",
            "--console-port",
            "0");
    builder.environment().put("GLEANER_BUILD", "never");
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("the demo ends").isTrue();
    } finally {
      process.destroy();
    }
    List<String> lines = Files.readAllLines(out);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    assertThat(lines)
        .anyMatch(line -> line.startsWith("console "))
        .anyMatch(line -> line.matches("earned +olga .* credits \\(\\d+ tiles\\), otto .*"));
    Path picture = Path.of(lines.get(lines.size() - 1));
    assertThat(ImageIO.read(picture.toFile()).getWidth()).isEqualTo(1536);
    assertThat(ProcessHandle.allProcesses().filter(TestLauncher::isRunning))
        .noneMatch(each -> each.info().commandLine().orElse("").contains(folder.toString()));
  }
}
