package io.gleaner.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was started, newest first and once, at the end of the command or at Ctrl-C. */
final class Lifeline implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifeline.class);
  private final Deque<AutoCloseable> kept = new ArrayDeque<>();
  private volatile boolean interrupted;

  Lifeline() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted, "end"));
  }

  private void interrupted() {
    interrupted = true;
    close();
  }

  /** Whether this JVM is ending because somebody asked it to. */
  boolean isInterrupted() {
    return interrupted;
  }

  synchronized <T extends AutoCloseable> T keep(T part) {
    kept.push(part);
    return part;
  }

  @Override
  public synchronized void close() {
    while (!kept.isEmpty()) {
      AutoCloseable part = kept.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("closing {} failed", part.getClass().getSimpleName(), e);
      }
    }
  }
}
