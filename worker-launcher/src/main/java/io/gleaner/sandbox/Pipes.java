package io.gleaner.sandbox;

import io.gleaner.sandbox.child.Frame;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a child says and is told.
 *
 * <p>Two daemon threads empty its pipes, so that a child that floods them cannot block anybody:
 * what it sends faster than it is read waits in its own pipe. One thread sends and receives.
 */
final class Pipes {
  private static final Logger LOG = LoggerFactory.getLogger(Pipes.class);
  private static final int INBOX = 64;

  /** A message, or why there will be no more. */
  record Inbound(Optional<Frame> frame, String trouble) {}

  private final Process process;
  private final int largestFrame;
  private final DataOutputStream out;
  private final BlockingQueue<Inbound> inbox = new ArrayBlockingQueue<>(INBOX);
  private final LogTail machineLog = new LogTail();
  private final Thread errorReader;

  Pipes(Process process, int largestFrame) {
    this.process = process;
    this.largestFrame = largestFrame;
    this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    this.errorReader = daemon("child-errors-", this::readErrors);
    daemon("child-messages-", this::readMessages);
  }

  void send(Frame frame) {
    try {
      frame.write(out);
    } catch (IOException e) {
      // The reader of the other pipe sees the same death and says how.
      LOG.debug("child {} does not read: {}", process.pid(), e.toString());
    }
  }

  /** The next message, or null if none came in time. */
  Inbound poll(int millis) throws InterruptedException {
    return inbox.poll(millis, TimeUnit.MILLISECONDS);
  }

  /** What the JVM itself printed last; waits a moment for the rest of it once the child is dead. */
  String machineLog() throws InterruptedException {
    if (!process.isAlive()) {
      errorReader.join(500);
    }
    return machineLog.text();
  }

  private Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name + process.pid());
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void readMessages() {
    String trouble = "";
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      for (Optional<Frame> frame = Frame.read(in, largestFrame);
          frame.isPresent();
          frame = Frame.read(in, largestFrame)) {
        inbox.put(new Inbound(frame, ""));
      }
    } catch (IOException e) {
      trouble = e.getMessage() == null ? e.toString() : e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      inbox.put(new Inbound(Optional.empty(), trouble));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readErrors() {
    byte[] buffer = new byte[4096];
    try (InputStream in = process.getErrorStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        machineLog.append(buffer, n);
      }
    } catch (IOException e) {
      LOG.debug("errors of child {} ended: {}", process.pid(), e.toString());
    }
  }
}
