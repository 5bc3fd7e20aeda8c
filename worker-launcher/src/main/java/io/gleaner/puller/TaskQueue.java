package io.gleaner.puller;

import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.TaskEntry;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.entry.UnusableEntriesException;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;

/**
 * The waiting tasks of one bag as one slot sees them: it asks one shard after the other, beginning
 * where it last found something, so that slots do not crowd one partition; where that finds nothing
 * it asks for any. Once there was none it only looks, which costs the space next to nothing.
 */
final class TaskQueue {
  private final TupleSpace space;
  private final String jobId;
  private int shard;
  private boolean empty;

  TaskQueue(TupleSpace space, String jobId, int firstShard) {
    this.space = space;
    this.jobId = jobId;
    this.shard = Math.floorMod(firstShard, TaskEntry.SHARDS);
  }

  /** Whether it is worth to take: there was something the last time, or there is now. */
  boolean hasTasks() throws TransactionException, RemoteException {
    if (empty) {
      MatchSet found = space.contents(List.of(TaskEntry.ofJob(jobId)), null, Lease.ANY, 1);
      try {
        empty = found.next() == null;
      } catch (UnusableEntryException e) {
        throw new IllegalStateException("the market holds tasks that this version cannot read", e);
      }
    }
    return !empty;
  }

  /** Takes up to {@code most} tasks, or none if there are none now. */
  List<TaskEntry> take(Transaction transaction, int most)
      throws TransactionException, RemoteException, UnusableEntryException, InterruptedException {
    List<TaskEntry> tasks = new ArrayList<>(take(sharded(), transaction, most));
    shard = (shard + 1) % TaskEntry.SHARDS;
    if (tasks.isEmpty()) {
      tasks.addAll(take(TaskEntry.ofJob(jobId), transaction, most));
    }
    empty = tasks.isEmpty();
    return tasks;
  }

  private TaskEntry sharded() {
    TaskEntry template = TaskEntry.ofJob(jobId);
    template.shard = TaskEntry.shardOf(jobId, shard);
    return template;
  }

  private List<TaskEntry> take(TaskEntry template, Transaction transaction, int most)
      throws TransactionException, RemoteException, UnusableEntryException, InterruptedException {
    if (most == 1) {
      TaskEntry task = (TaskEntry) space.take(template, transaction, JavaSpace.NO_WAIT);
      return task == null ? List.of() : List.of(task);
    }
    try {
      Collection<?> found = space.take(List.of(template), transaction, JavaSpace.NO_WAIT, most);
      return found.stream().map(TaskEntry.class::cast).toList();
    } catch (UnusableEntriesException e) {
      throw new IllegalStateException("the market holds tasks that this version cannot read", e);
    }
  }
}
