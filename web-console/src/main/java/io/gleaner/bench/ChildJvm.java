package io.gleaner.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the flags of this one. It says lines when it is ready and ends with its standard
 * input, so that it does not outlive a killed parent.
 */
final class ChildJvm implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 10;

  private final Process process;
  private final BufferedReader says;
  private final Path log;

  private ChildJvm(Process process, Path log) {
    this.process = process;
    this.says = process.inputReader(StandardCharsets.UTF_8);
    this.log = log;
  }

  /**
   * Starts it with the class path of this one.
   *
   * @param log where its standard error goes
   * @param input the first line of its standard input
   */
  static ChildJvm start(Class<?> main, Path log, String input, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agentlib") && !flag.startsWith("-javaagent"))
        .filter(flag -> !flag.startsWith("-XX:StartFlightRecording"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process.outputWriter(StandardCharsets.UTF_8).append(input).append('\n').flush();
    return new ChildJvm(process, log);
  }

  /** The next line that it says; waits for it. */
  String line() throws IOException {
    String line = says.readLine();
    if (line == null) {
      process.destroyForcibly();
      throw new IOException(
          "a process of the benchmark ended early:\n" + Files.readString(log).strip());
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
