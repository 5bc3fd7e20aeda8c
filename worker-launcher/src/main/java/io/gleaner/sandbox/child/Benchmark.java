package io.gleaner.sandbox.child;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures the speed of one core in micro-units per second and prints it.
 *
 * <p>Always the same mixed integer and floating work, in rounds; after a warm-up the best round by
 * CPU time counts, so that a busy machine is not taken for a slow one. Runs in a child JVM with the
 * options that tasks get, because that is the speed they will see.
 */
public final class Benchmark {
  /**
   * Rounds per second of the reference core, whose second is one unit: one hardware thread of a
   * cloud server of 2023 under OpenJDK 17. Changing it or {@link #round} changes the currency of
   * all pools.
   */
  public static final double REFERENCE_ROUNDS_PER_SECOND = 400.0;

  private static final int STEPS = 1_000_000;
  private static final long WARM_UP_NANOS = 300_000_000;
  private static final int ROUNDS = 20;

  private Benchmark() {}

  public static void main(String[] args) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long check = 0;
    for (long until = System.nanoTime() + WARM_UP_NANOS; System.nanoTime() < until; ) {
      check = round();
    }
    long best = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long before = threads.getCurrentThreadCpuTime();
      if (round() != check) {
        throw new IllegalStateException("this machine computes the same thing differently twice");
      }
      best = Math.min(best, threads.getCurrentThreadCpuTime() - before);
    }
    System.out.println(Math.round(1e9 / best / REFERENCE_ROUNDS_PER_SECOND * 1_000_000));
  }

  /** One round; the answer keeps the compiler from leaving it out. */
  static long round() {
    long x = 88172645463325252L;
    double z = 0.1;
    long sum = 0;
    for (int i = 0; i < STEPS; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
      z = z * z - 0.75 + (x & 1023) * 1e-6;
      if (z > 2) {
        z -= 2;
      }
      sum += (long) (z * 1024) ^ (x >>> 48);
    }
    return sum;
  }
}
