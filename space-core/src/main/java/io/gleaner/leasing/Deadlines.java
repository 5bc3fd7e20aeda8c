package io.gleaner.leasing;

import java.util.TreeMap;

/**
 * What is due when, in nanoseconds of a {@link Ticker}; for one thread. Things due at the same time
 * come in the order in which they were added.
 *
 * @param <T> what is due
 */
public final class Deadlines<T> {

  /** The deadline of what never ends. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Names one deadline, to cancel it. */
  public record Handle(long dueNanos, long number) implements Comparable<Handle> {
    @Override
    public int compareTo(Handle other) {
      int byTime = Long.compare(dueNanos, other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final TreeMap<Handle, T> due = new TreeMap<>();
  private long numbers;

  /** When something granted now for so many milliseconds ends; too long is {@link #NEVER}. */
  public static long after(long nowNanos, long millis) {
    if (millis >= (NEVER - Math.max(nowNanos, 0)) / NANOS_PER_MILLI) {
      return NEVER;
    }
    return nowNanos + millis * NANOS_PER_MILLI;
  }

  /** Whole milliseconds from one time to a later one. */
  public static long millisBetween(long fromNanos, long toNanos) {
    return (toNanos - fromNanos) / NANOS_PER_MILLI;
  }

  public Handle add(long dueNanos, T what) {
    Handle handle = new Handle(dueNanos, numbers++);
    if (dueNanos != NEVER) {
      due.put(handle, what);
    }
    return handle;
  }

  /** Adds what had been added elsewhere, under the same handle. */
  public void restore(Handle handle, T what) {
    if (handle.dueNanos() != NEVER) {
      due.put(handle, what);
    }
  }

  /** How many have been added: the number of the next handle. */
  public long numbers() {
    return numbers;
  }

  /** Goes on numbering where another one was. */
  public void continueAt(long next) {
    numbers = next;
  }

  public void cancel(Handle handle) {
    due.remove(handle);
  }

  /** When the first is due, or {@link #NEVER}. */
  public long next() {
    return due.isEmpty() ? NEVER : due.firstKey().dueNanos();
  }

  /** Removes and returns the first that is due, or null. */
  public T poll(long nowNanos) {
    return next() <= nowNanos && !due.isEmpty() ? due.pollFirstEntry().getValue() : null;
  }
}
