package io.gleaner.sandbox;

import io.gleaner.api.Task;
import io.gleaner.leasing.Ticker;
import io.gleaner.sandbox.child.Benchmark;
import io.gleaner.sandbox.child.ChildMain;
import io.gleaner.secrets.PrivateFolder;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts child JVMs for bags of the kind {@code java} (D11); safe for all threads.
 *
 * <p>Each child has a folder of its own below {@code folder}; what an earlier launcher left there
 * is wiped at the start.
 */
public final class JavaSandbox {
  private static final int BENCHMARK_MEGABYTES = 32;
  private static final long BENCHMARK_LIMIT_SECONDS = 30;

  private final Path folder;
  private final Spawner spawner;
  private final Ticker ticker;

  /**
   * @param folder where children get their folders; used by nobody else
   */
  public JavaSandbox(Path folder, Spawner spawner, Ticker ticker) throws IOException {
    this.folder = folder.toAbsolutePath();
    this.spawner = spawner;
    this.ticker = ticker;
    PrivateFolder.create(folder);
    Folder.wipe(folder, false);
  }

  /**
   * Starts a child for the program; it loads while the caller goes on.
   *
   * @throws IOException if no process could be started
   */
  public Child start(Program program, TaskLimits limits) throws IOException {
    Path home = Files.createTempDirectory(folder, "child-");
    try {
      Path bundle = home.resolve("bundle.jar");
      Files.copy(program.bundle(), bundle, StandardCopyOption.REPLACE_EXISTING);
      Path work = Files.createDirectory(home.resolve("work"));
      Process process =
          spawner.start(command(program.memoryMegabytes(), work, ChildMain.class), work);
      return new Child(process, home, bundle, program, limits, ticker);
    } catch (IOException e) {
      Folder.wipe(home, true);
      throw e;
    }
  }

  /**
   * Measures one core in a child with the options that tasks get; takes about half a second.
   *
   * @return micro-units per second
   */
  public long benchmark() throws IOException {
    Process process = spawner.start(command(BENCHMARK_MEGABYTES, folder, Benchmark.class), folder);
    try {
      if (!process.waitFor(BENCHMARK_LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("the speed of this machine could not be measured within 30 s");
      }
      byte[] answer = process.getInputStream().readNBytes(64);
      return Long.parseLong(new String(answer, StandardCharsets.US_ASCII).strip());
    } catch (NumberFormatException e) {
      throw new IOException("the benchmark's answer is no number", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while measuring the machine", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * The command of a child. Both compilers stay on: with the first alone the benchmark ran 5 %
   * slower (0.96 against 1.01 units/s), and tasks compute for long. Loops keep their safepoints, so
   * that a tight one cannot hold up the end of the process.
   */
  static List<String> command(int memoryMegabytes, Path work, Class<?> main) {
    return Stream.concat(
            Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memoryMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=1",
                "-XX:+UseCountedLoopSafepoints",
                "-XX:LoopStripMiningIter=1000",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr",
                "-XX:-UsePerfData",
                "-XX:ErrorFile=" + work.resolve("jvm-error.log"),
                "-Xshare:auto",
                "-Djava.awt.headless=true",
                "-Djava.io.tmpdir=" + work),
            Stream.of("-cp", classPath(), main.getName()))
        .toList();
  }

  /** Where the child's classes and the task interface lie; nothing else is needed. */
  private static String classPath() {
    Set<String> entries = new LinkedHashSet<>();
    for (Class<?> type : List.of(ChildMain.class, Task.class)) {
      try {
        entries.add(
            Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
      } catch (URISyntaxException e) {
        throw new IllegalStateException("the class path has a location that is no path", e);
      }
    }
    return String.join(File.pathSeparator, entries);
  }
}
