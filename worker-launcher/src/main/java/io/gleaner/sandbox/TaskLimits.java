package io.gleaner.sandbox;

/**
 * What one task may use. A limit of {@link Long#MAX_VALUE} is none.
 *
 * @param timeMillis running time; the time that it was suspended does not count
 * @param cpuMicros CPU time of all its threads
 * @param outputBytes length of the result
 * @param checkpointBytes length of one checkpoint
 * @param logBytes what it prints, before it counts as flooding
 * @param diskBytes what its working folder holds
 */
public record TaskLimits(
    long timeMillis,
    long cpuMicros,
    long outputBytes,
    long checkpointBytes,
    long logBytes,
    long diskBytes) {
  private static final long MB = 1024 * 1024;

  /** Largest result or checkpoint whatever the bag says: it passes through memory. */
  public static final long LARGEST_BLOCK = 256 * MB;

  public TaskLimits {
    if (Math.min(Math.min(timeMillis, cpuMicros), Math.min(outputBytes, logBytes)) <= 0) {
      throw new IllegalArgumentException("limits are positive, got time " + timeMillis + " ms");
    }
    outputBytes = Math.min(outputBytes, LARGEST_BLOCK);
    checkpointBytes = Math.min(checkpointBytes, LARGEST_BLOCK);
  }

  /** Generous limits: an hour, 16 MB of result, checkpoint and log, 1 GB of disk. */
  public static TaskLimits standard() {
    return new TaskLimits(3_600_000, Long.MAX_VALUE, 16 * MB, 16 * MB, 16 * MB, 1024 * MB);
  }

  public TaskLimits withTimeMillis(long millis) {
    return new TaskLimits(millis, cpuMicros, outputBytes, checkpointBytes, logBytes, diskBytes);
  }

  public TaskLimits withCpuMicros(long micros) {
    return new TaskLimits(timeMillis, micros, outputBytes, checkpointBytes, logBytes, diskBytes);
  }

  public TaskLimits withOutputBytes(long bytes) {
    return new TaskLimits(timeMillis, cpuMicros, bytes, checkpointBytes, logBytes, diskBytes);
  }

  public TaskLimits withDiskBytes(long bytes) {
    return new TaskLimits(timeMillis, cpuMicros, outputBytes, checkpointBytes, logBytes, bytes);
  }
}
