package io.gleaner.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts processes at the lowest priority which the kernel kills when this process dies; safe for
 * all threads.
 *
 * <p>The death signal of {@code setpriv} is tied to the thread that started the process, so one
 * thread that lives as long as this JVM starts them all. Where {@code setpriv}, {@code nice} or
 * {@code ionice} are missing the child goes without: it still reads the end of its input.
 */
public final class Spawner {
  private static final ExecutorService THREAD =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "spawner");
            thread.setDaemon(true);
            return thread;
          });

  private final List<String> prefix;

  public Spawner() {
    List<String> words = new ArrayList<>();
    program("setpriv").ifPresent(path -> words.addAll(List.of(path, "--pdeathsig", "KILL", "--")));
    program("nice").ifPresent(path -> words.addAll(List.of(path, "-n", "19")));
    program("ionice").ifPresent(path -> words.addAll(List.of(path, "-c", "3", "-t")));
    this.prefix = List.copyOf(words);
  }

  /** Starts the command with an empty environment in the folder. */
  Process start(List<String> command, Path folder) throws IOException {
    List<String> words = new ArrayList<>(prefix);
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().clear();
    try {
      return THREAD.submit(builder::start).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting a child process", e);
    } catch (ExecutionException e) {
      throw new IOException("the child process could not be started: " + e.getCause(), e);
    }
  }

  /** Where a program lies on the search path, or empty. */
  static Optional<String> program(String name) {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String folder : path.split(File.pathSeparator)) {
      Path candidate = Path.of(folder, name);
      if (!folder.isEmpty() && Files.isExecutable(candidate)) {
        return Optional.of(candidate.toString());
      }
    }
    return Optional.empty();
  }
}
