package io.gleaner.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The benchmark as people run it, with so little of everything that it takes seconds. */
@Timeout(600)
class BenchIT {
  @TempDir private Path folder;

  @Test
  void theSpaceIsMeasuredBesideOutriggerAndEveryBarIsTold() throws Exception {
    Path told = folder.resolve("told");
    Path json = folder.resolve("json");
    List<String> arguments =
        List.of("space", "--quick", "--entries", "300", "--slice", "0.01", "--json");
    assertThat(bench(told, json, arguments)).as(Files.readString(told)).isZero();

    List<String> lines = Files.readAllLines(told);
    assertThat(lines)
        .anyMatch(line -> line.startsWith("machine "))
        .anyMatch(line -> line.startsWith("load "))
        .anyMatch(line -> line.matches("per second +clients +outrigger +gateway +embedded.*"))
        .anyMatch(line -> line.matches("pairs, a key for each +16 .*x\\).*x\\).*%"));
    List<String> bars = lines.stream().filter(line -> line.startsWith("bar: ")).toList();
    assertThat(bars)
        .hasSize(8)
        .allMatch(
            line ->
                line.matches(
                    "bar: [a-z0-9-]+ = ([0-9.]+|none) [a-z-]+ [(]goal [<>]= [0-9.]+[)]"
                        + " (ok|short)"));
    JsonNode document = JsonMapper.shared().readTree(Files.readString(json));
    assertThat(document.path("bars").size()).isEqualTo(bars.size());
    assertThat(document.path("rows").get(0).path("outrigger").path("median").asDouble())
        .isPositive();
  }

  @Test
  void anAreaThatIsNotThereIsNamed() throws Exception {
    Path told = folder.resolve("told");
    assertThat(bench(told, folder.resolve("out"), List.of("weather"))).isEqualTo(2);
    assertThat(Files.readString(told)).contains("no benchmark of 'weather'").contains("space");
  }

  private static int bench(Path err, Path out, List<String> arguments) throws Exception {
    Path root = Path.of("").toAbsolutePath().getParent();
    List<String> command = new ArrayList<>(List.of(root.resolve("gleaner").toString(), "bench"));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("GLEANER_BUILD", "never");
    Process process = builder.redirectError(err.toFile()).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(540, TimeUnit.SECONDS)).as("the benchmark ends").isTrue();
    } finally {
      process.destroy();
    }
    return process.exitValue();
  }
}
