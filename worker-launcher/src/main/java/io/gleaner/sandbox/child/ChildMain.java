package io.gleaner.sandbox.child;

import io.gleaner.api.Parameters;
import io.gleaner.api.Task;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a child JVM.
 *
 * <p>The main thread does nothing but read messages from the launcher. The end of that stream means
 * that the launcher is gone, and the process halts: no hook, no finally of a task can hold it.
 */
public final class ChildMain {
  /** Exit status: the launcher is gone. */
  static final int ORPHANED = 70;

  /** Exit status: the launcher said something that this child does not understand. */
  static final int CONFUSED = 71;

  private static final int LARGEST_MESSAGE = 1 << 30;
  private static final int SAMPLE_MILLIS = 50;
  private static final int SAMPLES_PER_REPORT = 5;

  private final DataInputStream in;
  private final Outbound out;
  private final AtomicBoolean busy = new AtomicBoolean();
  private Thread reporter;

  private ChildMain(InputStream in, Outbound out) {
    this.in = new DataInputStream(new BufferedInputStream(in));
    this.out = out;
  }

  public static void main(String[] args) {
    Outbound out = new Outbound(new FileOutputStream(FileDescriptor.out));
    int status = CONFUSED;
    try {
      new ChildMain(new FileInputStream(FileDescriptor.in), out).serve();
      status = ORPHANED;
    } catch (IOException e) {
      System.err.println("the launcher's message was not understood: " + e.getMessage());
    } finally {
      Runtime.getRuntime().halt(status);
    }
  }

  private void serve() throws IOException {
    Optional<Frame> first = Frame.read(in, LARGEST_MESSAGE);
    if (first.isEmpty()) {
      return;
    }
    LogStream log = new LogStream(out);
    redirect(log);
    Hello hello = Hello.of(first.get());
    BundleLoader loader;
    Constructor<? extends Task> program;
    try {
      loader = BundleLoader.open(Path.of(hello.bundle()), hello.digest());
      program = loader.loadClass(hello.entryPoint()).asSubclass(Task.class).getConstructor();
    } catch (IOException | ReflectiveOperationException | ClassCastException | LinkageError e) {
      refuse(hello, e);
      awaitEnd();
      return;
    }
    TaskMeter meter = startMeter();
    out.send(new Frame(Frame.Type.READY, new byte[0]));
    for (Optional<Frame> next = Frame.read(in, LARGEST_MESSAGE);
        next.isPresent();
        next = Frame.read(in, LARGEST_MESSAGE)) {
      if (next.get().type() != Frame.Type.RUN || !busy.compareAndSet(false, true)) {
        throw new IOException("unexpected " + next.get().type());
      }
      redirect(log);
      Run run = Run.of(next.get());
      meter.begin();
      Thread task =
          new Thread(
              new ThreadGroup("task " + run.taskIndex()),
              () -> run(program, run, hello, meter, log),
              "task");
      task.setContextClassLoader(loader);
      task.start();
      LockSupport.unpark(reporter);
    }
  }

  private void refuse(Hello hello, Throwable e) {
    String why =
        e instanceof ClassNotFoundException
            ? "the bundle has no class " + hello.entryPoint()
            : e instanceof ClassCastException
                ? hello.entryPoint() + " does not implement io.gleaner.api.Task"
                : e instanceof NoSuchMethodException
                    ? hello.entryPoint() + " has no public constructor without arguments"
                    : e.toString();
    out.send(new Frame(Frame.Type.REFUSED, why.getBytes(StandardCharsets.UTF_8)));
  }

  private void awaitEnd() throws IOException {
    in.skipNBytes(Long.MAX_VALUE);
  }

  private static void redirect(LogStream log) {
    PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8);
    System.setIn(InputStream.nullInputStream());
    System.setOut(print);
    System.setErr(print);
  }

  private void run(
      Constructor<? extends Task> program, Run run, Hello hello, TaskMeter meter, LogStream log) {
    Frame.Type type = Frame.Type.FAILURE;
    byte[] content;
    try {
      Task task = program.newInstance();
      content =
          task.run(
              Parameters.of(run.parameters()),
              new ChildContext(run, hello.checkpointLimitBytes(), out));
      if (content == null) {
        content = "the task returned null instead of its result".getBytes(StandardCharsets.UTF_8);
      } else if (content.length > hello.outputLimitBytes()) {
        String why =
            "the result has %d bytes, the bag allows %d"
                .formatted(content.length, hello.outputLimitBytes());
        content = why.getBytes(StandardCharsets.UTF_8);
      } else {
        type = Frame.Type.RESULT;
      }
    } catch (Throwable e) {
      // Whatever a task throws, errors included, is that task's end and not this process's.
      Throwable cause =
          e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
      cause.printStackTrace(new PrintStream(log, true, StandardCharsets.UTF_8));
      content = cause.toString().getBytes(StandardCharsets.UTF_8);
    }
    log.flush();
    Frame end = new Ended(meter.cpuMicros(), Thread.activeCount() == 1, content).frame(type);
    busy.set(false);
    out.send(end);
  }

  /** The reporter must be there before the meter is, so that its time is not the task's. */
  private TaskMeter startMeter() {
    AtomicReference<TaskMeter> meter = new AtomicReference<>();
    reporter = new Thread(() -> report(meter), "meter");
    reporter.setDaemon(true);
    reporter.start();
    meter.set(new TaskMeter());
    return meter.get();
  }

  private void report(AtomicReference<TaskMeter> meter) {
    for (int samples = 1; ; samples++) {
      if (!busy.get()) {
        LockSupport.park(this);
      }
      LockSupport.parkNanos(SAMPLE_MILLIS * 1_000_000L);
      if (busy.get()) {
        long micros = meter.get().cpuMicros();
        if (samples % SAMPLES_PER_REPORT == 0) {
          out.send(Frame.Type.METER, micros);
        }
      }
    }
  }
}
