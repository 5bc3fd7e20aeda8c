package io.gleaner.sandbox;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process with all its descendants: stopped, continued and killed together. */
final class ProcessTree {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
  private static final int SIGNAL_SECONDS = 2;

  private final Process root;

  ProcessTree(Process root) {
    this.root = root;
  }

  /** Stops everything at once; false if the system would not. */
  boolean suspend() {
    return signal("-STOP");
  }

  boolean resume() {
    return signal("-CONT");
  }

  /** Kills everything, also while stopped. */
  void kill() {
    List<ProcessHandle> all = handles().toList();
    root.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  private boolean signal(String signal) {
    List<String> command = new ArrayList<>(List.of(Spawner.program("kill").orElse("kill"), signal));
    handles().forEach(handle -> command.add(Long.toString(handle.pid())));
    try {
      Process kill =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS)) {
        kill.destroyForcibly();
        return false;
      }
      return kill.exitValue() == 0;
    } catch (IOException e) {
      LOG.warn("signal {} to child {} was not sent: {}", signal, root.pid(), e.toString());
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Stream<ProcessHandle> handles() {
    return Stream.concat(Stream.of(root.toHandle()), root.toHandle().descendants());
  }
}
