package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's program and the examples of the application API, as a reader runs them. */
@Timeout(300)
class ExamplesIT {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @TempDir private Path folder;
  private static TestMarket market;

  @BeforeAll
  static void start() throws Exception {
    market = TestMarket.start(TestMarket.seed());
    market.launcher("olga").joins();
  }

  @AfterAll
  static void end() throws Exception {
    market.close();
  }

  @Test
  void theProgramOfTheReadmeRunsAsWritten() throws Exception {
    Matcher block =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(block.find()).isTrue();
    String program = block.group(1);
    Path source = folder.resolve("Squares.java");
    Files.writeString(source, program);
    assertThat(program.lines().count()).as("a program of about ten lines").isLessThan(16);
    List<String> out = runs("web-console/target/lib/*", source.toString());
    assertThat(out).hasSize(100).startsWith("1", "4", "9").endsWith("10000");
  }

  @Test
  void theExecutorEstimatesPi() throws Exception {
    assertThat(example("executor", "MonteCarloPi")).containsExactly("pi is about 3.1416");
  }

  @Test
  void theSuperTaskCountsQueens() throws Exception {
    assertThat(example("supertask", "Queens", "10")).containsExactly("10 queens stand in 724 ways");
  }

  @Test
  void theStreamPrintsEachResultOnce() throws Exception {
    List<String> out = example("stream", "Main");
    assertThat(out).hasSize(102).contains("78498 primes below a million").doesNotHaveDuplicates();
    assertThat(out.get(0)).matches("from +\\d+: +\\d+ primes, by olga-desk");
  }

  private List<String> example(String name, String main, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("io.gleaner.examples." + name + "." + main));
    all.addAll(List.of(arguments));
    return runs(
        "web-console/target/lib/*:examples/%1$s/target/%1$s.jar".formatted(name),
        all.toArray(String[]::new));
  }

  /** Runs Java in the checkout's folder; answers with what it printed. */
  private List<String> runs(String classPath, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command).directory(ROOT.toFile());
    builder.environment().put("GLEANER_HOME", market.node().settings().home().folder().toString());
    builder.environment().remove("GLEANER_URL");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("ends: " + command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    return Files.readAllLines(out, StandardCharsets.UTF_8);
  }
}
