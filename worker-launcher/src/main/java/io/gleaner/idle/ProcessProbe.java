package io.gleaner.idle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks a small program of the system and reads its answer. */
final class ProcessProbe {
  private static final int LONGEST_ANSWER = 4096;

  private ProcessProbe() {}

  /** What the program printed, or why it did not. */
  static Reading<String> ask(Duration limit, List<String> command) {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      return Reading.unknown(command.get(0) + " is not installed");
    }
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return Reading.unknown(command.get(0) + " did not answer");
      }
      if (process.exitValue() != 0) {
        return Reading.unknown(command.get(0) + " has no answer here");
      }
      byte[] answer = process.getInputStream().readNBytes(LONGEST_ANSWER);
      return Reading.known(new String(answer, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return Reading.unknown(command.get(0) + " failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Reading.unknown(command.get(0) + " was interrupted");
    } finally {
      process.destroyForcibly();
    }
  }
}
