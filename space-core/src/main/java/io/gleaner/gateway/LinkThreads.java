package io.gleaner.gateway;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a client's link: one on which it decides, and one that writes for those who must
 * not wait. Daemons; safe for all threads.
 */
final class LinkThreads {
  private static final Logger LOG = LoggerFactory.getLogger(LinkThreads.class);
  private static final long WRITER_IDLE_SECONDS = 5;

  private final String name;
  private final ScheduledThreadPoolExecutor decider;
  private final ThreadPoolExecutor writer;
  private volatile Optional<Thread> itself = Optional.empty();

  LinkThreads(String name) {
    this.name = name;
    this.decider =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = daemon("gleaner-link-" + name, task);
              itself = Optional.of(made);
              return made;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    decider.setRemoveOnCancelPolicy(true);
    decider.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // One thread, and only while something is to be written.
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            WRITER_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> daemon("gleaner-writer-" + name, task),
            new ThreadPoolExecutor.DiscardPolicy());
    writer.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(String name, Runnable task) {
    Thread made = new Thread(task, name);
    made.setDaemon(true);
    return made;
  }

  /** Runs a step on the link's thread, unless it has ended. */
  void run(Runnable step) {
    decider.execute(guarded(step));
  }

  /** Runs a step on the link's thread after a while. */
  void later(Runnable step, long millis) {
    var unused = decider.schedule(guarded(step), millis, TimeUnit.MILLISECONDS);
  }

  /** Runs a step on the link's thread again and again. */
  ScheduledFuture<?> every(Runnable step, long millis) {
    return decider.scheduleAtFixedRate(guarded(step), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Runs a step that waits on a thread of its own. */
  void aside(Runnable step) {
    daemon("gleaner-aside-" + name, guarded(step)).start();
  }

  Executor writer() {
    return writer;
  }

  /** Whether the caller is the link's thread. */
  boolean isDeciding() {
    return itself.isPresent() && itself.get() == Thread.currentThread();
  }

  boolean hasEnded() {
    return decider.isShutdown();
  }

  void end() {
    decider.shutdown();
    writer.shutdown();
  }

  private Runnable guarded(Runnable step) {
    return () -> {
      try {
        step.run();
      } catch (RuntimeException e) {
        LOG.error("the link to {} failed in a step", name, e);
      }
    };
  }
}
