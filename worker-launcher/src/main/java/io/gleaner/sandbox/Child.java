package io.gleaner.sandbox;

import io.gleaner.leasing.Ticker;
import io.gleaner.sandbox.child.Ended;
import io.gleaner.sandbox.child.Frame;
import io.gleaner.sandbox.child.Hello;
import io.gleaner.sandbox.child.Run;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One child JVM with one program.
 *
 * <p>One thread runs tasks in it, one at a time; any thread may suspend, resume and stop it.
 */
public final class Child implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Child.class);
  private static final int LOOK_MILLIS = 100;
  private static final long LOAD_MILLIS = 60_000;
  private static final int OUT_OF_MEMORY_STATUS = 3;

  private final Process process;
  private final ProcessTree tree;
  private final Path home;
  private final Program program;
  private final TaskLimits limits;
  private final RunClock clock;
  private final Pipes pipes;
  private final LogTail log = new LogTail();
  private final AtomicReference<String> stopped = new AtomicReference<>();
  private boolean ready;
  private volatile boolean reusable = true;

  Child(
      Process process, Path home, Path bundle, Program program, TaskLimits limits, Ticker ticker) {
    this.process = process;
    this.tree = new ProcessTree(process);
    this.home = home;
    this.program = program;
    this.limits = limits;
    this.clock = new RunClock(ticker);
    this.pipes =
        new Pipes(
            process, (int) Math.max(limits.outputBytes(), limits.checkpointBytes()) + 64 * 1024);
    pipes.send(
        new Hello(
                bundle.toString(),
                program.digest(),
                program.entryPoint(),
                (int) limits.outputBytes(),
                (int) limits.checkpointBytes())
            .frame());
  }

  public long pid() {
    return process.pid();
  }

  public Program program() {
    return program;
  }

  /** Whether it can run another task. */
  public boolean usable() {
    return reusable && stopped.get() == null && process.isAlive();
  }

  /** The folder in which the next task runs; files put there are its inputs. */
  public Path workFolder() {
    return home.resolve("work");
  }

  /**
   * Runs one task to its end; the working folder is wiped afterwards.
   *
   * @return how it ended, whatever the task or the process did
   */
  public TaskEnd run(TaskCall call, TaskEvents events) {
    log.clear();
    Attempt attempt = new Attempt(events);
    TaskEnd end;
    try {
      end = attempt.run(call);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop("the launcher was interrupted");
      end = new TaskEnd.Stopped("the launcher was interrupted", attempt.cpuMicros, 0);
    }
    if (!(end instanceof TaskEnd.Completed)) {
      retainIf(end instanceof TaskEnd.Failed f && f.fault() == TaskEnd.Fault.THREW);
    }
    if (usable()) {
      wipe(workFolder(), false);
    } else {
      close();
    }
    return end;
  }

  /** Stops the processor time of all its processes within a moment; they keep their memory. */
  public boolean suspend() {
    clock.stop();
    return tree.suspend();
  }

  public boolean resume() {
    clock.go();
    return tree.resume();
  }

  /** Ends the child; a task that runs ends as {@link TaskEnd.Stopped} with this reason. */
  public void stop(String why) {
    stopped.compareAndSet(null, why);
    tree.kill();
  }

  /** Kills what is left and wipes its folder. */
  @Override
  public void close() {
    stop("the child was closed");
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        LOG.warn("child {} did not die within 2 s of being killed", pid());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    wipe(home, true);
  }

  private void retainIf(boolean sound) {
    if (!sound) {
      reusable = false;
    }
  }

  private void wipe(Path folder, boolean itself) {
    try {
      Folder.wipe(folder, itself);
    } catch (IOException e) {
      LOG.warn("folder {} of child {} was not wiped: {}", folder, pid(), e.toString());
      reusable = false;
    }
  }

  /** One task on its way through the child. */
  private final class Attempt {
    private final TaskEvents events;
    private long started = clock.nanos();
    private long lastDiskLook = started;
    private long cpuMicros;

    Attempt(TaskEvents events) {
      this.events = events;
    }

    TaskEnd run(TaskCall call) throws InterruptedException {
      Map<String, String> inputs = new HashMap<>();
      call.inputs().forEach((name, path) -> inputs.put(name, path.toString()));
      boolean sent = false;
      while (true) {
        if (ready && !sent) {
          started = clock.nanos();
          sent = true;
          pipes.send(
              new Run(
                      call.taskIndex(),
                      call.attempt(),
                      call.parameters(),
                      inputs,
                      call.checkpoint())
                  .frame());
        }
        Pipes.Inbound next = pipes.poll(LOOK_MILLIS);
        Optional<TaskEnd> end = next == null ? Optional.empty() : receive(next);
        if (end.isEmpty()) {
          end = overLimit(sent);
        }
        if (end.isPresent()) {
          return end.get();
        }
      }
    }

    private Optional<TaskEnd> receive(Pipes.Inbound next) {
      if (next.frame().isEmpty()) {
        return Optional.of(ended(next.trouble()));
      }
      Frame frame = next.frame().get();
      try {
        return switch (frame.type()) {
          case READY -> {
            ready = true;
            yield Optional.empty();
          }
          case PROGRESS -> {
            events.progressed(ByteBuffer.wrap(frame.payload()).getDouble());
            yield Optional.empty();
          }
          case CHECKPOINT -> {
            events.checkpointed(frame.payload());
            yield Optional.empty();
          }
          case METER -> {
            cpuMicros = ByteBuffer.wrap(frame.payload()).getLong();
            yield Optional.empty();
          }
          case LOG -> {
            log.append(frame.payload(), frame.payload().length);
            yield Optional.empty();
          }
          case RESULT -> Optional.of(completed(Ended.of(frame)));
          case FAILURE -> Optional.of(threw(Ended.of(frame)));
          case REFUSED ->
              Optional.of(
                  failed(
                      TaskEnd.Fault.NOT_LOADED,
                      new String(frame.payload(), StandardCharsets.UTF_8)));
          case HELLO, RUN -> Optional.of(failed(TaskEnd.Fault.PROTOCOL, "it sent " + frame.type()));
        };
      } catch (IOException | RuntimeException e) {
        return Optional.of(failed(TaskEnd.Fault.PROTOCOL, "a broken message: " + e));
      }
    }

    private TaskEnd completed(Ended ended) {
      cpuMicros = ended.cpuMicros();
      retainIf(ended.clean());
      return new TaskEnd.Completed(ended.content(), cpuMicros, elapsedMillis(), log.text());
    }

    private TaskEnd threw(Ended ended) {
      cpuMicros = ended.cpuMicros();
      retainIf(ended.clean());
      return failed(TaskEnd.Fault.THREW, new String(ended.content(), StandardCharsets.UTF_8));
    }

    /** The child's pipe is at its end: it was stopped, or it died of itself. */
    private TaskEnd ended(String trouble) {
      tree.kill();
      try {
        process.waitFor(2, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      String why = stopped.get();
      if (why != null) {
        return new TaskEnd.Stopped(why, cpuMicros, elapsedMillis());
      }
      if (!trouble.isEmpty()) {
        return failed(TaskEnd.Fault.PROTOCOL, trouble);
      }
      int status = process.isAlive() ? -1 : process.exitValue();
      if (status == OUT_OF_MEMORY_STATUS && machineLog().contains("OutOfMemoryError")) {
        return failed(
            TaskEnd.Fault.MEMORY,
            "it asked for more memory than the " + program.memoryMegabytes() + " MB of its bag");
      }
      return failed(
          TaskEnd.Fault.DIED, "its process ended with status " + status + " before a result");
    }

    private Optional<TaskEnd> overLimit(boolean running) {
      long elapsed = elapsedMillis();
      if (!running) {
        return elapsed > LOAD_MILLIS
            ? Optional.of(failed(TaskEnd.Fault.NOT_LOADED, "its program did not load within 60 s"))
            : Optional.empty();
      }
      if (elapsed > limits.timeMillis()) {
        return Optional.of(
            failed(
                TaskEnd.Fault.TIME,
                "it ran for %d ms, its bag allows %d ms".formatted(elapsed, limits.timeMillis())));
      }
      if (cpuMicros > limits.cpuMicros()) {
        return Optional.of(
            failed(
                TaskEnd.Fault.UNITS,
                "it used %d ms of processor time, its bag allows %d ms on this machine"
                    .formatted(cpuMicros / 1000, limits.cpuMicros() / 1000)));
      }
      if (log.totalBytes() > limits.logBytes()) {
        return Optional.of(
            failed(
                TaskEnd.Fault.LOG,
                "it printed %d bytes, at most %d are allowed"
                    .formatted(log.totalBytes(), limits.logBytes())));
      }
      return overDisk();
    }

    private Optional<TaskEnd> overDisk() {
      if (clock.nanos() - lastDiskLook < TimeUnit.SECONDS.toNanos(1)) {
        return Optional.empty();
      }
      lastDiskLook = clock.nanos();
      try {
        long size = Folder.sizeBytes(workFolder());
        return size <= limits.diskBytes()
            ? Optional.empty()
            : Optional.of(
                failed(
                    TaskEnd.Fault.DISK,
                    "it wrote %d bytes to its folder, its bag allows %d"
                        .formatted(size, limits.diskBytes())));
      } catch (IOException e) {
        LOG.debug("folder of child {} cannot be measured: {}", pid(), e.toString());
        return Optional.empty();
      }
    }

    private TaskEnd failed(TaskEnd.Fault fault, String reason) {
      String tail = log.text() + (process.isAlive() ? "" : machineLog());
      return new TaskEnd.Failed(fault, reason, cpuMicros, elapsedMillis(), tail);
    }

    private String machineLog() {
      try {
        return pipes.machineLog();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return "";
      }
    }

    private long elapsedMillis() {
      return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - started);
    }
  }
}
