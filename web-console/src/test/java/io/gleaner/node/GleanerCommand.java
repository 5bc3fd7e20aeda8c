package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command as people run it, in a process of its own. */
final class GleanerCommand {

  private GleanerCommand() {}

  /** What it said. */
  record Ran(int exitCode, String out, String err) {
    JsonNode json() {
      return JsonMapper.shared().readTree(out);
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param scratch a folder for what it prints
   * @param home the node's folder
   */
  static Ran run(Path scratch, Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("io.gleaner.cli.Main");
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(scratch, "out", "");
    Path err = Files.createTempFile(scratch, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("GLEANER_HOME", home.toString());
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends: " + command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ran(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
