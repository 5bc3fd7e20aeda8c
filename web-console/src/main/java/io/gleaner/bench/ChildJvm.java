package io.gleaner.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the flags of this one. It says one line when it is ready and ends with its
 * standard input, so that it does not outlive a killed parent.
 */
final class ChildJvm implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 10;

  private final Process process;
  private final String firstLine;

  private ChildJvm(Process process, String firstLine) {
    this.process = process;
    this.firstLine = firstLine;
  }

  /**
   * Starts it and waits for its first line.
   *
   * @param moreFlags flags of the JVM that this one does not have
   * @param log where its standard error goes
   */
  static ChildJvm start(
      List<String> moreFlags, String classPath, Path log, String mainClass, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agentlib") && !flag.startsWith("-javaagent"))
        .filter(flag -> !flag.startsWith("-XX:StartFlightRecording"))
        .forEach(command::add);
    command.addAll(moreFlags);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    BufferedReader says =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = says.readLine();
    if (line == null) {
      process.destroyForcibly();
      throw new IOException(mainClass + " did not start; " + log + " says why");
    }
    return new ChildJvm(process, line);
  }

  String firstLine() {
    return firstLine;
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
