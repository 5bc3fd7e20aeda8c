package io.gleaner.sandbox.child;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * CPU time of the threads of a task: every Java thread that this process did not have before.
 *
 * <p>The compiler's and the collector's threads do not count, so that the first task of a child
 * does not pay for warming it up. Threads that die are known by their last sample, so that a thread
 * may lose at most the time between two samples.
 */
final class TaskMeter {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Set<Long> own;
  private Map<Long, Long> before = Map.of();
  private final Map<Long, Long> nanos = new HashMap<>();

  TaskMeter() {
    threads.setThreadCpuTimeEnabled(true);
    own = live();
  }

  /** Forgets everything seen so far: a task begins. Threads that run already start from zero. */
  synchronized void begin() {
    nanos.clear();
    sample();
    before = Map.copyOf(nanos);
  }

  /** CPU time of the task so far. */
  synchronized long cpuMicros() {
    sample();
    long sum = 0;
    for (Map.Entry<Long, Long> entry : nanos.entrySet()) {
      sum += entry.getValue() - before.getOrDefault(entry.getKey(), 0L);
    }
    return sum / 1000;
  }

  private Set<Long> live() {
    return Arrays.stream(threads.getAllThreadIds()).boxed().collect(Collectors.toSet());
  }

  private void sample() {
    for (long id : threads.getAllThreadIds()) {
      if (!own.contains(id)) {
        long time = threads.getThreadCpuTime(id);
        if (time >= 0) {
          nanos.put(id, time);
        }
      }
    }
  }
}
