package io.gleaner.puller;

import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the market which tasks run here and how far they are, from a thread of its own, so that no
 * task waits for it. What it says is news and not truth: trouble is logged and the lease ends it.
 */
final class Attempts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);
  private static final long LEASE_MILLIS = 10_000;
  private static final long PERIOD_MILLIS = 3000;

  /** One entry in the space; touched by the one thread only, but for the progress. */
  private static final class Told {
    private AttemptEntry entry;
    private Lease lease;
    private volatile double progress;
  }

  private final TupleSpace space;
  private final String launcherId;
  private final Map<String, Told> running = new LinkedHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "attempts");
            thread.setDaemon(true);
            return thread;
          });

  private final Future<?> renewal;

  Attempts(TupleSpace space, String launcherId) {
    this.space = space;
    this.launcherId = launcherId;
    renewal =
        thread.scheduleWithFixedDelay(
            this::renew, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  void began(String contractId, List<TaskEntry> tasks) {
    later(() -> write(contractId, tasks));
  }

  void ended(List<TaskEntry> tasks) {
    later(() -> cancel(tasks));
  }

  void progressed(TaskEntry task, double fraction) {
    later(
        () -> {
          Told told = running.get(key(task));
          if (told != null) {
            told.progress = fraction;
          }
        });
  }

  @Override
  public void close() {
    renewal.cancel(true);
    thread.shutdownNow();
  }

  private void later(Runnable work) {
    try {
      thread.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("the launcher ends, its attempts end with their leases");
    }
  }

  private void write(String contractId, List<TaskEntry> tasks) {
    List<AttemptEntry> entries = new ArrayList<>();
    List<Long> leases = new ArrayList<>();
    for (TaskEntry task : tasks) {
      AttemptEntry entry = AttemptEntry.ofJob(task.jobId);
      entry.taskIndex = task.taskIndex;
      entry.replica = task.replica;
      entry.attempt = task.attempt;
      entry.launcherId = launcherId;
      entry.contractId = contractId;
      entry.progress = 0.0;
      entries.add(entry);
      leases.add(LEASE_MILLIS);
    }
    try {
      List<?> granted = space.write(entries, null, leases);
      for (int i = 0; i < entries.size(); i++) {
        Told told = new Told();
        told.entry = entries.get(i);
        told.lease = (Lease) granted.get(i);
        running.put(key(tasks.get(i)), told);
      }
    } catch (IOException | TransactionException | RuntimeException e) {
      LOG.info("attempts were not announced: {}", e.toString());
    }
  }

  private void cancel(List<TaskEntry> tasks) {
    for (TaskEntry task : tasks) {
      Told told = running.remove(key(task));
      try {
        if (told != null) {
          told.lease.cancel();
        }
      } catch (LeaseException | IOException | RuntimeException e) {
        LOG.debug("an attempt ended before it was cancelled: {}", e.toString());
      }
    }
  }

  private void renew() {
    for (Told told : running.values()) {
      try {
        if (told.progress > told.entry.progress) {
          replace(told);
        } else {
          told.lease.renew(LEASE_MILLIS);
        }
      } catch (LeaseException
          | IOException
          | TransactionException
          | UnusableEntryException
          | RuntimeException e) {
        LOG.debug("an attempt was not renewed: {}", e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void replace(Told told)
      throws IOException, TransactionException, UnusableEntryException, InterruptedException {
    AttemptEntry template = AttemptEntry.ofJob(told.entry.jobId);
    template.taskIndex = told.entry.taskIndex;
    template.replica = told.entry.replica;
    template.attempt = told.entry.attempt;
    template.launcherId = launcherId;
    told.entry.progress = told.progress;
    space.takeIfExists(template, null, 0);
    told.lease = space.write(told.entry, null, LEASE_MILLIS);
  }

  private static String key(TaskEntry task) {
    return task.jobId + "/" + task.taskIndex + "/" + task.replica;
  }
}
