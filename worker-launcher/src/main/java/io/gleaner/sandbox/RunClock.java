package io.gleaner.sandbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.leasing.Ticker;

/** Time that passes only while a child may run; safe for all threads. */
final class RunClock {
  private final Ticker ticker;

  @GuardedBy("this")
  private long stoppedNanos;

  @GuardedBy("this")
  private long stoppedSince;

  @GuardedBy("this")
  private boolean stopped;

  RunClock(Ticker ticker) {
    this.ticker = ticker;
  }

  synchronized void stop() {
    if (!stopped) {
      stopped = true;
      stoppedSince = ticker.nanos();
    }
  }

  synchronized void go() {
    if (stopped) {
      stopped = false;
      stoppedNanos += ticker.nanos() - stoppedSince;
    }
  }

  /** Nanoseconds since an arbitrary origin, without those in which it was stopped. */
  synchronized long nanos() {
    return (stopped ? stoppedSince : ticker.nanos()) - stoppedNanos;
  }
}
