package io.gleaner.http;

import io.gleaner.limits.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every setting of the console, validated at once.
 *
 * @param host where it listens; without TLS, others than loopback are refused at the start
 * @param port 0 for any free one
 * @param tls how it proves who it is; empty for clear text
 * @param uploadFolder where bodies wait until they are checked; made if missing
 * @param maxDescriptionBytes longest bag description with its list of files
 * @param maxBlobBytes longest single blob
 * @param maxFormBytes all files of one form together
 * @param requestTimeout after which an answer is given up; streams are exempt
 * @param maxStreams event streams at a time, of all callers
 * @param maxStreamsPerCaller event streams at a time, of one
 * @param requests how often a user may ask, over all sessions and tokens
 * @param workers threads for SQL and files
 */
public record ConsoleSettings(
    String host,
    int port,
    Optional<ConsoleTls> tls,
    Path uploadFolder,
    long maxDescriptionBytes,
    long maxBlobBytes,
    long maxFormBytes,
    Duration requestTimeout,
    int maxStreams,
    int maxStreamsPerCaller,
    Pace requests,
    int workers) {

  private static final long MEGABYTE = 1024L * 1024;
  private static final int MAX_PORT = 65_535;

  public ConsoleSettings {
    List<String> errors = new ArrayList<>();
    require(errors, port >= 0 && port <= MAX_PORT, "port must be 0 to 65535, not " + port);
    require(errors, maxDescriptionBytes > 0, "maxDescriptionBytes must be above 0");
    require(errors, maxBlobBytes > 0, "maxBlobBytes must be above 0");
    require(errors, maxFormBytes >= maxDescriptionBytes, "maxFormBytes must hold a description");
    require(errors, requestTimeout.toMillis() >= 1000, "requestTimeout must be a second or more");
    require(errors, maxStreams > 0, "maxStreams must be above 0");
    require(errors, maxStreamsPerCaller > 0, "maxStreamsPerCaller must be above 0");
    require(errors, workers > 0 && workers <= 64, "workers must be 1 to 64");
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException("console settings: " + String.join("; ", errors));
    }
  }

  /** The usual settings. */
  public static ConsoleSettings standard(
      String host, int port, Optional<ConsoleTls> tls, Path uploadFolder, Pace requests) {
    return new ConsoleSettings(
        host,
        port,
        tls,
        uploadFolder,
        MEGABYTE,
        256 * MEGABYTE,
        256 * MEGABYTE,
        Duration.ofSeconds(30),
        200,
        12,
        requests,
        8);
  }

  private static void require(List<String> errors, boolean holds, String otherwise) {
    if (!holds) {
      errors.add(errors.size() + 1 + ". " + otherwise);
    }
  }
}
