package io.gleaner.fuzzing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Holds what reading some bytes allocates and computes against their number. For one thread. */
public final class Cost {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final long FOR_NOTHING = 4L * 1024 * 1024;
  private static final long PER_BYTE = 4096;

  private Cost() {}

  /** Something that reads. */
  @FunctionalInterface
  public interface Reading<T, E extends Exception> {
    T read() throws E;
  }

  private static final long MOST_CPU_NANOS = 5_000_000_000L;

  private record Spent(long bytes, long cpuNanos) {}

  /**
   * What was read, if that was cheap; a refusal may not be dear either. What is dear only once was
   * the loading of classes.
   */
  public static <T, E extends Exception> T bounded(int bytes, Reading<T, E> reading) throws E {
    long most = FOR_NOTHING + PER_BYTE * bytes;
    for (int tries = 1; ; tries++) {
      Spent spent = spentBy(reading);
      if (spent.bytes <= most && spent.cpuNanos <= MOST_CPU_NANOS) {
        return reading.read();
      }
      if (tries == 3) {
        throw new AssertionError(bytes + " bytes took " + spent);
      }
    }
  }

  private static Spent spentBy(Reading<?, ?> reading) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long nanos = THREADS.getCurrentThreadCpuTime();
    try {
      Object unused = reading.read();
    } catch (Exception | LinkageError | StackOverflowError refused) {
      // The caller hears it when it reads again.
    }
    return new Spent(
        THREADS.getCurrentThreadAllocatedBytes() - bytes,
        THREADS.getCurrentThreadCpuTime() - nanos);
  }
}
