package io.gleaner.jini;

import java.rmi.RemoteException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for calls to processes that may be frozen: JERI waits for their answers without end.
 * Bounded; what finds no thread waits in line. Safe for all threads.
 */
final class PeerCalls implements AutoCloseable {
  private static final long IDLE_SECONDS = 30;

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor alarms;
  private final long patienceMillis;

  /**
   * Starts none yet.
   *
   * @param most calls at the same time
   * @param patience for each of them; then its thread is interrupted
   */
  PeerCalls(String name, int most, Duration patience) {
    this.patienceMillis = patience.toMillis();
    this.threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons(name),
            new ThreadPoolExecutor.DiscardPolicy());
    threads.allowCoreThreadTimeOut(true);
    this.alarms = new ScheduledThreadPoolExecutor(1, daemons(name + "-alarms"));
    alarms.setRemoveOnCancelPolicy(true);
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs it when a thread is free; not at all once this is closed. */
  void run(Runnable task) {
    threads.execute(task);
  }

  /** As {@link #run}, but not before the time is over. */
  void later(Duration wait, Runnable task) {
    try {
      var unused = alarms.schedule(() -> run(task), wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: nothing runs any more.
    }
  }

  /** The peer did not answer in time. */
  static final class SilentException extends RemoteException {
    private static final long serialVersionUID = 1L;

    SilentException(Exception cause) {
      super("no answer in time", cause);
    }
  }

  /**
   * Calls on this thread; after the patience the call is interrupted, which JERI answers.
   *
   * @throws SilentException if it failed because of that, or this is closed
   */
  <T> T patiently(Callable<T> call) throws Exception {
    Alarm alarm = new Alarm(Thread.currentThread());
    ScheduledFuture<?> set;
    try {
      set = alarms.schedule(alarm, patienceMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new SilentException(e);
    }
    try {
      return call.call();
    } catch (Exception e) {
      throw alarm.over() ? new SilentException(e) : e;
    } finally {
      var unused = alarm.over();
      set.cancel(false);
    }
  }

  private static final class Alarm implements Runnable {
    private final Thread caller;
    private boolean isOver;
    private boolean hasRung;

    Alarm(Thread caller) {
      this.caller = caller;
    }

    @Override
    public synchronized void run() {
      if (!isOver) {
        hasRung = true;
        caller.interrupt();
      }
    }

    /** Nobody is interrupted afterwards; true if the caller was. */
    synchronized boolean over() {
      isOver = true;
      if (hasRung) {
        var unused = Thread.interrupted();
      }
      return hasRung;
    }
  }

  @Override
  public void close() {
    alarms.shutdownNow();
    threads.shutdownNow();
  }
}
