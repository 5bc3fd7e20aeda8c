package io.gleaner.puller;

import io.gleaner.cache.BlobCache;
import io.gleaner.sandbox.Child;
import io.gleaner.sandbox.JavaSandbox;
import io.gleaner.sandbox.Program;
import io.gleaner.sandbox.TaskCall;
import io.gleaner.sandbox.TaskEnd;
import io.gleaner.sandbox.TaskEvents;
import io.gleaner.sandbox.TaskLimits;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signing.BundleManifest;
import io.gleaner.signing.BundleTrust;
import io.gleaner.signing.SignedManifest;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the tasks of one slot: keeps one child for the bag that the slot serves. The slot's thread
 * runs; any thread may suspend, resume and stop.
 */
final class TaskRunner implements AutoCloseable {
  private static final long LOG_BYTES = 16L << 20;
  private static final long CHECKPOINT_BYTES = 16L << 20;
  private static final long MICROS = 1_000_000;

  private final JavaSandbox sandbox;
  private final BlobCache cache;
  private final Path bundle;
  private final long microUnitsPerSecond;

  /** Guards the child and the wish, so that a child started meanwhile is suspended too. */
  private final Object lock = new Object();

  private Child child;
  private String servedJob = "";
  private boolean suspended;
  private String stopped = "";

  TaskRunner(JavaSandbox sandbox, BlobCache cache, Path bundle, long microUnitsPerSecond) {
    this.sandbox = sandbox;
    this.cache = cache;
    this.bundle = bundle;
    this.microUnitsPerSecond = microUnitsPerSecond;
  }

  /**
   * Runs one task to its end.
   *
   * @throws IOException if code or inputs cannot be had or no process be started: nobody's fault
   */
  TaskEnd run(JobEntry job, TaskEntry task, List<byte[]> checkpoint, TaskEvents events)
      throws IOException {
    Child ready;
    try {
      ready = childFor(job);
    } catch (FileNotFoundException e) {
      return missing("its program is not in the market: " + e.getMessage());
    }
    Map<String, Path> inputs = new HashMap<>();
    try {
      for (Map.Entry<String, String> input : inputs(task).entrySet()) {
        Path copy = ready.workFolder().resolve("input-" + inputs.size());
        cache.copyTo(input.getValue(), copy);
        inputs.put(input.getKey(), copy);
      }
    } catch (FileNotFoundException e) {
      return missing("one of its files is not in the market: " + e.getMessage());
    }
    synchronized (lock) {
      if (!stopped.isEmpty()) {
        return new TaskEnd.Stopped(stopped, 0, 0);
      }
    }
    Map<String, String> parameters = task.parameters == null ? Map.of() : task.parameters;
    return ready.run(
        new TaskCall(task.taskIndex, task.attempt, parameters, inputs, checkpoint), events);
  }

  /** Lets the child stand still, now and if it is only started later. */
  void suspend() {
    synchronized (lock) {
      suspended = true;
      if (child != null) {
        child.suspend();
      }
    }
  }

  void resume() {
    synchronized (lock) {
      suspended = false;
      if (child != null) {
        child.resume();
      }
    }
  }

  /** Lets tasks run again after a stop; called before tasks are taken. */
  void allow() {
    synchronized (lock) {
      stopped = "";
    }
  }

  /** Ends the child; the task that runs in it, or is about to, ends as stopped. */
  void stop(String why) {
    synchronized (lock) {
      stopped = why;
      if (child != null) {
        child.stop(why);
      }
    }
  }

  /** Ends the child and wipes its folder; the slot's thread calls it, between tasks. */
  @Override
  public void close() {
    Child last;
    synchronized (lock) {
      last = child;
      child = null;
    }
    if (last != null) {
      last.close();
    }
  }

  private static Map<String, String> inputs(TaskEntry task) {
    return task.inputs == null ? Map.of() : task.inputs;
  }

  private static TaskEnd missing(String reason) {
    return new TaskEnd.Failed(TaskEnd.Fault.NOT_LOADED, reason, 0, 0, "");
  }

  private Child childFor(JobEntry job) throws IOException {
    synchronized (lock) {
      if (child != null && child.usable() && servedJob.equals(job.jobId)) {
        return child;
      }
    }
    close();
    Files.deleteIfExists(bundle);
    cache.copyTo(job.bundleDigest, bundle);
    requireSigned(job);
    Program program =
        new Program(bundle, job.bundleDigest, job.entryPoint, Math.max(16, job.memoryMegabytes));
    synchronized (lock) {
      child = sandbox.start(program, limits(job));
      servedJob = job.jobId;
      if (suspended) {
        child.suspend();
      }
      return child;
    }
  }

  /** Before anything of it is loaded: these very bytes are the ones that were signed. */
  private void requireSigned(JobEntry job) throws IOException {
    try {
      BundleTrust.requirePart(SignedManifest.decode(job.manifest), BundleManifest.PROGRAM, bundle);
    } catch (SecurityRefusal e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The bag's limits in this machine's time: a unit is a second of the reference core. */
  private TaskLimits limits(JobEntry job) {
    long cpuMicros =
        job.microUnitsPerTask == null
            ? Long.MAX_VALUE
            : Math.max(1, (long) ((double) job.microUnitsPerTask / microUnitsPerSecond * MICROS));
    TaskLimits standard = TaskLimits.standard();
    return new TaskLimits(
        job.timeLimitMillis == null ? standard.timeMillis() : job.timeLimitMillis,
        cpuMicros,
        job.outputLimitBytes == null ? standard.outputBytes() : job.outputLimitBytes,
        CHECKPOINT_BYTES,
        LOG_BYTES,
        job.diskLimitBytes == null ? standard.diskBytes() : job.diskLimitBytes);
  }
}
