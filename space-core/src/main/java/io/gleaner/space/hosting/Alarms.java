package io.gleaner.space.hosting;

import io.gleaner.leasing.Deadlines;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Wakes cells when something in them is due, and does what has to be done again and again. */
final class Alarms implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer;

  Alarms() {
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "space-alarm");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  /**
   * The alarm of one cell; for one thread. There is at most one: each that was left would set the
   * next one again, and there would be more and more of them.
   */
  final class Alarm {
    private final Runnable wake;
    private ScheduledFuture<?> set;
    private long due = Deadlines.NEVER;

    Alarm(Runnable wake) {
      this.wake = wake;
    }

    /** Wakes at a time of the cell, unless it does so earlier anyway. */
    void set(long dueNanos, long nowNanos) {
      if (dueNanos < due && !timer.isShutdown()) {
        cancel();
        due = dueNanos;
        set = timer.schedule(wake, Math.max(0, dueNanos - nowNanos), TimeUnit.NANOSECONDS);
      }
    }

    /** It went off, or is not wanted any more. */
    void cancel() {
      due = Deadlines.NEVER;
      if (set != null) {
        set.cancel(false);
        set = null;
      }
    }
  }

  void soon(Runnable task, long millis) {
    if (!timer.isShutdown()) {
      var unused = timer.schedule(task, millis, TimeUnit.MILLISECONDS);
    }
  }

  void every(long millis, Runnable task) {
    var unused = timer.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Alarms that are set. */
  int size() {
    return (int) timer.getQueue().stream().filter(task -> !isPeriodic(task)).count();
  }

  private static boolean isPeriodic(Runnable task) {
    return task instanceof java.util.concurrent.RunnableScheduledFuture<?> scheduled
        && scheduled.isPeriodic();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
