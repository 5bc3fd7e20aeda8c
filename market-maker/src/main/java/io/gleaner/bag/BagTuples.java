package io.gleaner.bag;

import io.gleaner.description.BagDescription;
import io.gleaner.description.TaskExpansion;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.CheckpointEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.CannotAbortException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.entry.UnusableEntriesException;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a bag has in the space: written at its submission, swept at its end. Thread-safe. */
final class BagTuples {
  private static final Logger LOG = LoggerFactory.getLogger(BagTuples.class);

  /** Entries that are written or taken in one operation. */
  static final int CHUNK = 1000;

  private static final Duration TRANSACTION = Duration.ofSeconds(60);

  /** Something that the space is asked to do. */
  @FunctionalInterface
  private interface Work<T> {
    T in(Transaction transaction)
        throws TransactionException,
            RemoteException,
            UnusableEntryException,
            UnusableEntriesException,
            InterruptedException;
  }

  /** A call of the space. */
  @FunctionalInterface
  interface Asking<T> {
    T ask()
        throws TransactionException,
            RemoteException,
            LeaseDeniedException,
            UnusableEntryException,
            UnusableEntriesException,
            InterruptedException;
  }

  private final TupleSpace space;

  BagTuples(TupleSpace space) {
    this.space = space;
  }

  void writePreparing(LiveBag bag) {
    inTransaction(
        "write the job",
        transaction -> space.write(job(bag, JobState.PREPARING), transaction, Lease.FOREVER));
  }

  /** Writes the tasks from an index on, all replicas, and answers the index after the last. */
  int writeTasks(LiveBag bag, int from) {
    int replication = bag.description.replication();
    int to = Math.min(bag.tasks.size(), from + Math.max(1, CHUNK / replication));
    List<Entry> entries = new ArrayList<>((to - from) * replication);
    for (int index = from; index < to; index++) {
      for (int replica = 0; replica < replication; replica++) {
        entries.add(task(bag, index, replica));
      }
    }
    inTransaction(
        "write tasks",
        transaction ->
            space.write(entries, transaction, Collections.nCopies(entries.size(), Lease.FOREVER)));
    return to;
  }

  /** The one small transaction that makes the bag visible to the market. */
  void open(LiveBag bag) {
    inTransaction(
        "open the job",
        transaction -> {
          JobEntry preparing = JobEntry.ofJob(bag.jobId());
          preparing.state = JobState.PREPARING;
          if (space.takeIfExists(preparing, transaction, JavaSpace.NO_WAIT) == null) {
            throw new BagException(
                BagException.Code.UNAVAILABLE,
                "the bag " + bag.jobId() + " was removed while it was written; submit it again");
          }
          space.write(bid(bag), transaction, Lease.FOREVER);
          return space.write(job(bag, JobState.OPEN), transaction, Lease.FOREVER);
        });
  }

  /**
   * Replaces the open job by one in the state in which it ended: from then on its commits are
   * refused. Waits for commits that are under way.
   *
   * @return false if there was no open job within the time
   */
  boolean close(LiveBag bag, JobState ended, Duration wait) {
    return inTransaction(
        "close the job",
        transaction -> {
          JobEntry open = JobEntry.ofJob(bag.jobId());
          open.state = JobState.OPEN;
          if (space.takeIfExists(open, transaction, wait.toMillis()) == null) {
            return false;
          }
          space.write(job(bag, ended), transaction, Lease.FOREVER);
          return true;
        });
  }

  /** The state of the bag's job; waits for a transaction that holds it. */
  Optional<JobState> stateOf(String jobId) {
    return asked(
        "read the job",
        () ->
            Optional.ofNullable(
                    (JobEntry)
                        space.readIfExists(JobEntry.ofJob(jobId), null, 2 * TRANSACTION.toMillis()))
                .map(job -> job.state));
  }

  /** The bags that have a job, in whatever state. */
  List<String> jobs() {
    return asked(
        "list the jobs",
        () -> {
          List<String> jobs = new ArrayList<>();
          MatchSet all =
              space.contents(List.of(new JobEntry()), null, TRANSACTION.toMillis(), Long.MAX_VALUE);
          for (Entry job = all.next(); job != null; job = all.next()) {
            jobs.add(((JobEntry) job).jobId);
          }
          return jobs;
        });
  }

  /**
   * Removes what the bag has in the space and nobody holds in a transaction.
   *
   * @return how many entries that were, with attempts that still run counted as one each
   */
  int sweep(String jobId) {
    List<Entry> templates = new ArrayList<>();
    // The job first: without it every commit of the bag is refused.
    templates.add(JobEntry.ofJob(jobId));
    templates.add(BidEntry.ofJob(jobId));
    for (int shard = 0; shard < TaskEntry.SHARDS; shard++) {
      TaskEntry tasks = TaskEntry.ofJob(jobId);
      tasks.shard = TaskEntry.shardOf(jobId, shard);
      templates.add(tasks);
    }
    templates.add(ResultEntry.ofJob(jobId));
    templates.add(CheckpointEntry.ofJob(jobId));
    int removed = 0;
    for (Entry template : templates) {
      removed += takeAll(template);
    }
    return removed + (isAttempted(jobId) ? 1 : 0);
  }

  private int takeAll(Entry template) {
    int removed = 0;
    int taken;
    do {
      taken =
          inTransaction(
              "remove entries", transaction -> take(List.of(template), transaction).size());
      removed += taken;
      // A space may answer with fewer than there are: only nothing means that none is left.
    } while (taken > 0);
    return removed;
  }

  /** An attempt belongs to its launcher, whose lease removes it; it says that a task is out. */
  private boolean isAttempted(String jobId) {
    return inTransaction(
        "look for attempts",
        transaction ->
            space.readIfExists(AttemptEntry.ofJob(jobId), transaction, JavaSpace.NO_WAIT) != null);
  }

  private Collection<?> take(List<Entry> templates, Transaction transaction)
      throws TransactionException, RemoteException, UnusableEntriesException {
    return space.take(templates, transaction, JavaSpace.NO_WAIT, CHUNK);
  }

  private <T> T inTransaction(String what, Work<T> work) {
    return asked(
        what,
        () -> {
          Transaction transaction = space.begin(TRANSACTION).transaction;
          boolean committed = false;
          try {
            T result = work.in(transaction);
            transaction.commit();
            committed = true;
            return result;
          } finally {
            if (!committed) {
              abort(transaction);
            }
          }
        });
  }

  static <T> T asked(String what, Asking<T> asking) {
    try {
      return asking.ask();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(what, e);
    } catch (TransactionException
        | RemoteException
        | UnusableEntryException
        | UnusableEntriesException
        | LeaseDeniedException e) {
      throw refused(what, e);
    }
  }

  private static void abort(Transaction transaction) {
    try {
      transaction.abort();
    } catch (net.jini.core.transaction.UnknownTransactionException
        | CannotAbortException
        | RemoteException e) {
      LOG.debug("the transaction ended by itself", e);
    }
  }

  private static BagException refused(String what, Exception cause) {
    return new BagException(
        BagException.Code.UNAVAILABLE,
        "the space refused to " + what + "; try again: " + cause.getMessage(),
        cause);
  }

  /** The job as the market sees it. */
  static JobEntry job(LiveBag bag, JobState state) {
    BagDescription description = bag.description;
    JobEntry job = JobEntry.ofJob(bag.jobId());
    job.owner = bag.row().owner();
    job.state = state;
    job.kind = description.kind();
    job.bundleDigest = bag.row().files().get(description.bundle());
    job.entryPoint = description.entryPoint();
    job.manifest = bag.program.encode();
    job.signer = bag.program.signer().hex();
    job.tasks = bag.tasks.size();
    job.replication = description.replication();
    job.memoryMegabytes = description.memoryMegabytes();
    job.maxAttempts = description.maxAttempts();
    job.microUnitsPerTask = description.limits().microUnits();
    job.timeLimitMillis = description.limits().timeMillis();
    job.diskLimitBytes = description.limits().diskBytes();
    job.outputLimitBytes = description.limits().outputBytes();
    job.runOn = new ArrayList<>(description.runOn());
    return job;
  }

  /** A task as submitted: first attempt, no faults. */
  static TaskEntry task(LiveBag bag, int index, int replica) {
    TaskExpansion.Point point = bag.tasks.task(index);
    TaskEntry task = TaskEntry.ofJob(bag.jobId());
    task.shard = TaskEntry.shardOf(bag.jobId(), index);
    task.taskIndex = index;
    task.replica = replica;
    task.attempt = 1;
    task.faults = 0;
    task.parameters = point.parameters();
    task.inputs = point.inputs();
    task.estimateMicroUnits = bag.description.estimateMicroUnits();
    return task;
  }

  private static BidEntry bid(LiveBag bag) {
    BidEntry bid = BidEntry.ofJob(bag.jobId());
    bid.owner = bag.row().owner();
    bid.microsPerUnit = bag.price.microsPerUnit();
    bid.microsPerTask =
        bag.price.microsPerTask().isPresent() ? bag.price.microsPerTask().getAsLong() : null;
    bid.budgetMicros = bag.row().budgetMicros();
    bid.deadlineMillis = bag.deadlineMillis();
    bid.importance = 5;
    bid.submittedMillis = bag.row().submitted().toEpochMilli();
    bid.estimateMicroUnits = bag.description.estimateMicroUnits();
    return bid;
  }
}
