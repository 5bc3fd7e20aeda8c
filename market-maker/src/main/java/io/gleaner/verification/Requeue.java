package io.gleaner.verification;

import io.gleaner.bag.TaskRegister;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what goes back to the space in the transaction of one batch. For one thread. */
final class Requeue {
  private static final Logger LOG = LoggerFactory.getLogger(Requeue.class);

  private final TupleSpace space;
  private final TaskRegister register;
  private final Transaction transaction;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Boolean> open = new HashMap<>();
  private boolean postponed;

  Requeue(TupleSpace space, TaskRegister register, Transaction transaction) {
    this.space = space;
    this.register = register;
    this.transaction = transaction;
  }

  /** The result is looked at again in a later batch. */
  void later(ResultEntry result) {
    postponed = true;
    entries.add(result);
  }

  /** Whether a result was put back, so that it is better to wait a little. */
  boolean postponed() {
    return postponed;
  }

  /** Another attempt at the task of this result. */
  void again(ResultEntry result, int faults) {
    add(Finding.task(result), result.replica, result.attempt + 1, faults);
  }

  /** One more copy of a task. */
  void copy(TaskKey task, int replica) {
    add(task, replica, 1, 0);
  }

  /** Another attempt at what was claimed. */
  void instead(Claim claim) {
    add(claim.task(), claim.replica(), claim.attempt() + 1, 0);
  }

  private void add(TaskKey key, int replica, int attempt, int faults) {
    if (!open.computeIfAbsent(key.jobId(), this::isOpen)) {
      // Cancelled meanwhile: a task written now would outlive the bag.
      return;
    }
    TaskEntry task =
        register
            .task(key.jobId(), key.taskIndex())
            .orElseThrow(
                () ->
                    new VerificationException(
                        VerificationException.Code.INVALID, "task " + key + " is not registered"));
    task.replica = replica;
    task.attempt = attempt;
    task.faults = faults;
    entries.add(task);
  }

  /** Takes away the copies of a task that nobody runs yet: it has ended. */
  void takeAway(TaskKey key) throws RemoteException, TransactionException {
    TaskEntry template = TaskEntry.ofJob(key.jobId());
    template.shard = TaskEntry.shardOf(key.jobId(), key.taskIndex());
    template.taskIndex = key.taskIndex();
    try {
      while (space.takeIfExists(template, transaction, 0) != null) {
        LOG.debug("task {} has ended, a waiting copy was taken away", key);
      }
    } catch (UnusableEntryException | InterruptedException e) {
      throw unreadable(key.jobId(), e);
    }
  }

  /** Reads in the transaction, so that a cancellation waits until the batch is over. */
  private boolean isOpen(String jobId) {
    JobEntry template = JobEntry.ofJob(jobId);
    template.state = JobState.OPEN;
    try {
      return space.readIfExists(template, transaction, 0) != null;
    } catch (RemoteException
        | TransactionException
        | UnusableEntryException
        | InterruptedException e) {
      throw unreadable(jobId, e);
    }
  }

  private static VerificationException unreadable(String jobId, Exception e) {
    return new VerificationException(
        VerificationException.Code.SPACE, "bag " + jobId + " cannot be read: " + e, e);
  }

  /** Writes everything in one operation. */
  void write() throws RemoteException, TransactionException {
    if (!entries.isEmpty()) {
      space.write(entries, transaction, Collections.nCopies(entries.size(), Lease.FOREVER));
    }
  }
}
