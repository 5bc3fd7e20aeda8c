package io.gleaner.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A launcher as a process of its own on this machine, started through the start script. */
final class LauncherProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private final Process process;

  private LauncherProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a dedicated launcher of one slot; what it prints goes to {@code worker.log} of its
   * folder.
   */
  static LauncherProcess start(Path root, String gateway, Path tokenFile, Path folder)
      throws IOException {
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>(endingWithThisThread());
    command.addAll(
        List.of(
            root.resolve("gleaner").toString(),
            "worker",
            "--join",
            gateway,
            "--token-file",
            tokenFile.toString(),
            "--slots",
            "1",
            "--dedicated",
            "--data",
            folder.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("GLEANER_BUILD", "never");
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("worker.log").toFile());
    return new LauncherProcess(builder.start());
  }

  /**
   * The kernel ends it with the thread that started it, where the system can: a killed demo too.
   */
  private static List<String> endingWithThisThread() {
    Path setpriv = Path.of("/usr/bin/setpriv");
    return Files.isExecutable(setpriv)
        ? List.of(setpriv.toString(), "--pdeathsig", "TERM", "--")
        : List.of();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to drain and end; kills it if it does not. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
