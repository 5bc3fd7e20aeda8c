package io.gleaner.blob;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Catalogue and contents with what guards them: upload and removal of one digest exclude each
 * other, by a lock for files, which one process has, and by the blob's row for all. Safe for all
 * threads.
 */
final class Vault {
  private static final int LOCKS = 64;

  final BlobRows rows;
  final BlobContents contents;
  final BlobSettings settings;
  final InstantSource clock;
  final Handed handed = new Handed();
  private final List<Object> locks = IntStream.range(0, LOCKS).mapToObj(i -> new Object()).toList();
  private final Map<String, Long> incomingBytes = new HashMap<>(); // guarded by itself

  Vault(BlobRows rows, BlobContents contents, BlobSettings settings, InstantSource clock) {
    this.rows = rows;
    this.contents = contents;
    this.settings = settings;
    this.clock = clock;
  }

  Object lock(String digest) {
    return locks.get(Math.floorMod(digest.hashCode(), LOCKS));
  }

  /** When a pin ends that begins now. */
  long pinMillis() {
    return clock.millis() + settings.pin().toMillis();
  }

  /** Adds to what the user's uploads have brought so far, and answers the sum of all under way. */
  long incoming(String user, long bytes) {
    synchronized (incomingBytes) {
      long sum = incomingBytes.merge(user, bytes, Long::sum);
      if (sum == 0) {
        incomingBytes.remove(user);
      }
      return sum;
    }
  }
}
