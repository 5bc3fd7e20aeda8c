package io.gleaner.sandbox;

/** How one task ended on this machine. */
public sealed interface TaskEnd {

  /** CPU time that it used, in microseconds. */
  long cpuMicros();

  /** Running time, suspensions not counted. */
  long elapsedMillis();

  /** It returned a result. */
  record Completed(byte[] output, long cpuMicros, long elapsedMillis, String logTail)
      implements TaskEnd {}

  /** It failed through itself: a fault of the task. */
  record Failed(Fault fault, String reason, long cpuMicros, long elapsedMillis, String logTail)
      implements TaskEnd {}

  /** The launcher stopped it; not its fault, and somebody else may run it. */
  record Stopped(String why, long cpuMicros, long elapsedMillis) implements TaskEnd {}

  /** What a task did wrong; stable names. */
  enum Fault {
    /** It threw, or returned what is no result. */
    THREW,
    /** Its program cannot be loaded. */
    NOT_LOADED,
    /** It ran longer than its bag allows. */
    TIME,
    /** It used more CPU time than its bag allows. */
    UNITS,
    /** It asked for more memory than its bag allows. */
    MEMORY,
    /** It printed without end. */
    LOG,
    /** It filled its working folder. */
    DISK,
    /** Its process ended in the middle. */
    DIED,
    /** Its process said something that it must not. */
    PROTOCOL
  }
}
