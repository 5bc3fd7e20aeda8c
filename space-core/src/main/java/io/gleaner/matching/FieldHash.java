package io.gleaner.matching;

/** A 64-bit hash of an encoded field, the same in every process. */
public final class FieldHash {
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private FieldHash() {}

  /** The hash of the bytes, or of null, on top of an earlier one. */
  public static long of(byte[] field, long before) {
    long hash = before * 31 + (field == null ? 0 : field.length + 1);
    if (field != null) {
      for (byte b : field) {
        hash = (hash ^ b) * PRIME;
      }
    }
    return mix(hash);
  }

  /** Spreads every bit over all bits. */
  public static long mix(long value) {
    long hash = (value ^ (value >>> 32)) * PRIME;
    return hash ^ (hash >>> 29);
  }
}
