package io.gleaner.puller;

import io.gleaner.leasing.Ticker;
import io.gleaner.sandbox.TaskEnd;
import io.gleaner.sandbox.TaskEvents;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One slot: takes tasks of the bag it is assigned to, runs them, commits what they found.
 *
 * <p>Its own thread does the work; the fields that others set are guarded by this object's monitor.
 * Short tasks share a transaction: those that are done commit together, and those that were not
 * begun go back in the same commit.
 */
final class Slot implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Slot.class);
  private static final int MOST_TASKS = 64;
  private static final double BATCH_MILLIS = 500;
  private static final double SHORT_MILLIS = 200;
  private static final long CHECK_MILLIS = 1000;
  private static final long TROUBLE_MILLIS = 1000;
  private static final long LOOK_MILLIS = 250;

  private final TupleSpace space;
  private final TaskRunner runner;
  private final Heartbeat heartbeat;
  private final Attempts attempts;
  private final Checkpoints checkpoints;
  private final Results results;
  private final Tally tally;
  private final Ticker ticker;
  private final int number;

  private Assignment assignment;
  private boolean works;
  private boolean closed;
  private List<TaskEntry> held = List.of();

  private TaskQueue queue;
  private String queueJob = "";
  private double taskMillis;

  Slot(
      int number,
      TupleSpace space,
      TaskRunner runner,
      Heartbeat heartbeat,
      Attempts attempts,
      Checkpoints checkpoints,
      Results results,
      Tally tally,
      Ticker ticker) {
    this.number = number;
    this.space = space;
    this.runner = runner;
    this.heartbeat = heartbeat;
    this.attempts = attempts;
    this.checkpoints = checkpoints;
    this.results = results;
    this.tally = tally;
    this.ticker = ticker;
  }

  /** What it serves from the next task on; null for nothing. */
  synchronized void assign(Assignment next) {
    assignment = next;
    notifyAll();
  }

  synchronized Optional<Assignment> assignment() {
    return Optional.ofNullable(assignment);
  }

  /** The tasks it holds, as bag/task. */
  synchronized List<String> holding() {
    return held.stream().map(task -> task.jobId + "/" + task.taskIndex).toList();
  }

  /** The bag whose tasks it holds though it is assigned to none or another one. */
  synchronized Optional<String> leftover() {
    return held.stream()
        .map(task -> task.jobId)
        .filter(job -> assignment == null || !assignment.job().jobId.equals(job))
        .findFirst();
  }

  /** Stops the task that runs, if it is one of the bag's: nobody wants its result any more. */
  synchronized void drop(String jobId, String why) {
    if (held.stream().anyMatch(task -> task.jobId.equals(jobId))) {
      runner.stop(why);
    }
  }

  synchronized boolean idle() {
    return held.isEmpty();
  }

  /** Lets it work: whatever stood still goes on. */
  void resume() {
    synchronized (this) {
      works = true;
      notifyAll();
    }
    runner.resume();
  }

  /** Lets it stand still at once; what it holds it keeps. */
  void suspend() {
    synchronized (this) {
      works = false;
    }
    runner.suspend();
  }

  /** Stops the task that runs; what it holds goes back to the market. */
  void giveBack(String why) {
    synchronized (this) {
      works = false;
    }
    runner.stop(why);
  }

  void close() {
    synchronized (this) {
      closed = true;
      works = false;
      assignment = null;
      notifyAll();
    }
    runner.stop("the launcher ends");
  }

  @Override
  public void run() {
    try {
      for (Optional<Assignment> next = await(); next.isPresent(); next = await()) {
        try {
          serve(next.get());
        } catch (IOException
            | TransactionException
            | UnusableEntryException
            | LeaseDeniedException
            | RuntimeException e) {
          LOG.warn("slot {} could not serve {}: {}", number, next.get().job().jobId, e.toString());
          pause();
        } catch (OutOfMemoryError e) {
          // A result too large for this launcher's heap: the task went back, the slot lives on.
          LOG.warn("slot {} ran out of memory serving {}", number, next.get().job().jobId);
          pause();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      runner.close();
    }
  }

  private synchronized Optional<Assignment> await() throws InterruptedException {
    while (!closed && (!works || assignment == null)) {
      wait();
    }
    return closed ? Optional.empty() : Optional.of(assignment);
  }

  private synchronized void pause() throws InterruptedException {
    long until = ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(TROUBLE_MILLIS);
    for (long left = TROUBLE_MILLIS;
        !closed && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(until - ticker.nanos())) {
      wait(left);
    }
  }

  /** Waits until it is worth to look for tasks again, or it has something else to serve. */
  private synchronized void awaitChange(Assignment served) throws InterruptedException {
    long until = ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    for (long left = LOOK_MILLIS;
        goesOnWith(served) && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(until - ticker.nanos())) {
      wait(left);
    }
  }

  private synchronized boolean goesOnWith(Assignment served) {
    return works && assignment != null && assignment.contractId().equals(served.contractId());
  }

  private synchronized void hold(List<TaskEntry> tasks) {
    held = List.copyOf(tasks);
  }

  private void serve(Assignment served)
      throws IOException,
          TransactionException,
          UnusableEntryException,
          LeaseDeniedException,
          InterruptedException {
    runner.allow();
    if (!goesOnWith(served)) {
      return;
    }
    TaskQueue tasksOfBag = queue(served.job());
    if (!tasksOfBag.hasTasks()) {
      awaitChange(served);
      return;
    }
    Hold hold = new Hold(space.begin(Hold.LEASE), ticker, () -> runner.stop("the lease was lost"));
    heartbeat.add(hold);
    boolean committed = false;
    try {
      List<TaskEntry> tasks = tasksOfBag.take(hold.transaction(), batchSize());
      if (!tasks.isEmpty()) {
        hold(tasks);
        attempts.began(served.contractId(), tasks);
        committed = work(served, hold, tasks);
        attempts.ended(tasks);
      }
    } finally {
      heartbeat.remove(hold);
      if (!committed) {
        hold.abort();
      }
      hold(List.of());
    }
  }

  private TaskQueue queue(JobEntry job) {
    if (!queueJob.equals(job.jobId)) {
      queueJob = job.jobId;
      queue = new TaskQueue(space, job.jobId, number);
      taskMillis = 0;
    }
    return queue;
  }

  /** So many that they keep the slot busy for half a second; one as long as nothing is known. */
  private int batchSize() {
    return taskMillis <= 0 || taskMillis >= SHORT_MILLIS
        ? 1
        : (int) Math.max(1, Math.min(MOST_TASKS, BATCH_MILLIS / taskMillis));
  }

  /** Runs the tasks in order; whether what they found was committed. */
  private boolean work(Assignment served, Hold hold, List<TaskEntry> tasks)
      throws IOException, TransactionException, UnusableEntryException, InterruptedException {
    List<Entry> entries = new ArrayList<>();
    int done = 0;
    for (TaskEntry task : tasks) {
      if (done > 0 && !goesOnWith(served)) {
        break;
      }
      long began = ticker.nanos();
      TaskEnd end = run(served, task, tasks.size());
      if (end instanceof TaskEnd.Stopped stopped) {
        LOG.info("task {}/{} goes back: {}", task.jobId, task.taskIndex, stopped.why());
        break;
      }
      entries.add(
          end instanceof TaskEnd.Completed completed
              ? results.completed(served.contractId(), task, completed)
              : results.failed(served.contractId(), task, (TaskEnd.Failed) end));
      done++;
      learn((ticker.nanos() - began) / 1e6);
    }
    return done > 0 && commit(served.job(), hold, entries, tasks.subList(done, tasks.size()));
  }

  private TaskEnd run(Assignment served, TaskEntry task, int together) throws IOException {
    List<byte[]> checkpoint = together > 1 ? List.of() : checkpoints.last(task);
    TaskEvents events =
        new TaskEvents() {
          private double progress;

          @Override
          public void progressed(double fraction) {
            progress = fraction;
            attempts.progressed(task, fraction);
          }

          @Override
          public void checkpointed(byte[] state) {
            checkpoints.save(task, state, progress);
          }
        };
    return runner.run(served.job(), task, checkpoint, events);
  }

  private void learn(double millis) {
    taskMillis = taskMillis <= 0 ? millis : 0.7 * taskMillis + 0.3 * millis;
  }

  /**
   * Hands in results and puts back what was not begun, all or nothing. Reading the open job in the
   * same transaction keeps a cancelled bag from taking results.
   */
  private boolean commit(JobEntry job, Hold hold, List<Entry> entries, List<TaskEntry> rest)
      throws IOException, TransactionException, UnusableEntryException, InterruptedException {
    JobEntry open = JobEntry.ofJob(job.jobId);
    open.state = JobState.OPEN;
    if (hold.lost()) {
      return refused(job, entries, "the lease was lost");
    }
    try {
      if (space.readIfExists(open, hold.transaction(), CHECK_MILLIS) == null) {
        return refused(job, entries, "the bag is not open any more");
      }
      List<Entry> all = new ArrayList<>(entries);
      all.addAll(rest);
      space.write(all, hold.transaction(), Collections.nCopies(all.size(), Lease.FOREVER));
      hold.transaction().commit();
    } catch (TransactionException | SecurityException e) {
      return refused(job, entries, e.toString());
    }
    count(entries);
    return true;
  }

  private boolean refused(JobEntry job, List<Entry> entries, String why) {
    LOG.warn("{} results of {} were refused and are dropped: {}", entries.size(), job.jobId, why);
    tally.refused(entries.size());
    return false;
  }

  private void count(List<Entry> entries) {
    long completed = 0;
    long microUnits = 0;
    for (Entry entry : entries) {
      ResultEntry result = (ResultEntry) entry;
      completed += result.outcome == Outcome.COMPLETED ? 1 : 0;
      microUnits += result.meteredMicroUnits;
    }
    tally.committed(completed, entries.size() - completed, microUnits);
  }
}
