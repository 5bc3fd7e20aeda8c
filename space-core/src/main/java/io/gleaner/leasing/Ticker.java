package io.gleaner.leasing;

/** A monotonic clock in nanoseconds: leases and waits count on it, so a wall clock may jump. */
@FunctionalInterface
public interface Ticker {

  /** Nanoseconds since an arbitrary origin; never goes back. */
  long nanos();

  /** The clock of this JVM. */
  static Ticker system() {
    return System::nanoTime;
  }
}
