package io.gleaner.sandbox;

import java.nio.charset.StandardCharsets;

/** The last bytes of what was printed; safe for all threads. */
final class LogTail {
  /** What is kept. */
  static final int KEPT_BYTES = 8 * 1024;

  private final byte[] ring = new byte[KEPT_BYTES];
  private long total;

  synchronized void append(byte[] bytes, int count) {
    for (int i = Math.max(0, count - KEPT_BYTES); i < count; i++) {
      ring[(int) ((total + i) % KEPT_BYTES)] = bytes[i];
    }
    total += count;
  }

  /** Bytes printed in all. */
  synchronized long totalBytes() {
    return total;
  }

  synchronized void clear() {
    total = 0;
  }

  /** The tail as text; characters cut at its beginning are replaced. */
  synchronized String text() {
    int kept = (int) Math.min(total, KEPT_BYTES);
    byte[] tail = new byte[kept];
    for (int i = 0; i < kept; i++) {
      tail[i] = ring[(int) ((total - kept + i) % KEPT_BYTES)];
    }
    return new String(tail, StandardCharsets.UTF_8);
  }
}
