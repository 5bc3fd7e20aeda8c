package io.gleaner.puller;

import java.util.concurrent.atomic.AtomicLong;

/** What this launcher has done since it started; safe for all threads. */
final class Tally {
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong microUnits = new AtomicLong();

  void committed(long completedTasks, long failedTasks, long meteredMicroUnits) {
    completed.addAndGet(completedTasks);
    failed.addAndGet(failedTasks);
    microUnits.addAndGet(meteredMicroUnits);
  }

  void refused(long tasks) {
    refused.addAndGet(tasks);
  }

  long completed() {
    return completed.get();
  }

  long failed() {
    return failed.get();
  }

  /** Results that the market did not take. */
  long refused() {
    return refused.get();
  }

  long microUnits() {
    return microUnits.get();
  }
}
