package io.gleaner.matching;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The SHA-256 digests that an entry names: each 64 lower-case hexadecimal digits in one of its
 * fields, wherever they stand. So an entry of any class refers to blobs (io.gleaner.blob) without
 * saying so, and what only looks like a digest does no harm. Stateless.
 */
public final class NamedDigests {
  private static final int DIGITS = 64;

  /** A longer run of digits is no digest. What stands around a text may look like a few digits. */
  private static final int LONGEST_RUN = DIGITS + 8;

  private NamedDigests() {}

  /** The digests, in lower-case hexadecimal. */
  public static Set<String> of(EncodedEntry entry) {
    Set<String> found = Set.of();
    for (byte[] field : entry.fields()) {
      if (field != null && field.length >= DIGITS) {
        found = in(field, found);
      }
    }
    return found;
  }

  /** Those that one field names; none if there is no such field. */
  public static Set<String> in(EncodedEntry entry, String fieldName) {
    int field = entry.type().fieldNames().indexOf(fieldName);
    byte[] value = field < 0 ? null : entry.fields()[field];
    return value == null ? Set.of() : in(value, Set.of());
  }

  private static Set<String> in(byte[] field, Set<String> before) {
    Set<String> found = before;
    // One of any 64 digits in a row stands at such a place.
    for (int i = DIGITS - 1; i < field.length; i += DIGITS) {
      if (!isDigit(field[i])) {
        continue;
      }
      int from = i;
      while (from > 0 && isDigit(field[from - 1])) {
        from--;
      }
      int to = i + 1;
      while (to < field.length && isDigit(field[to])) {
        to++;
      }
      int run = to - from;
      if (run >= DIGITS && run <= LONGEST_RUN) {
        found = found.isEmpty() ? new HashSet<>() : found;
        for (int at = from; at + DIGITS <= to; at++) {
          found.add(new String(field, at, DIGITS, StandardCharsets.US_ASCII));
        }
      }
      i = Math.max(i, to - (to % DIGITS) - 1);
    }
    return found;
  }

  private static boolean isDigit(byte b) {
    return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f');
  }
}
