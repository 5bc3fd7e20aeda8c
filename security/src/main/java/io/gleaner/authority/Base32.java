package io.gleaner.authority;

import java.util.Locale;
import java.util.Optional;

/**
 * Bytes in the 32 lower-case letters and digits that people seldom confuse (Crockford's alphabet:
 * no i, l, o, u). Reading takes upper case too, {@code o} for 0, {@code i} and {@code l} for 1, and
 * skips hyphens and white space.
 */
public final class Base32 {
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int BITS = 5;

  private Base32() {}

  public static String encode(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int bits = 0;
    int held = 0;
    for (byte each : bytes) {
      held = (held << 8) | (each & 0xff);
      bits += 8;
      while (bits >= BITS) {
        bits -= BITS;
        text.append(ALPHABET.charAt((held >>> bits) & 31));
      }
      held &= (1 << bits) - 1;
    }
    if (bits > 0) {
      text.append(ALPHABET.charAt((held << (BITS - bits)) & 31));
    }
    return text.toString();
  }

  /**
   * The bytes of a text, or empty if it is not the encoding of exactly that many.
   *
   * @param length in bytes
   */
  public static Optional<byte[]> decode(String text, int length) {
    byte[] bytes = new byte[length];
    int filled = 0;
    int bits = 0;
    int held = 0;
    int digits = 0;
    for (char each : text.toLowerCase(Locale.ROOT).toCharArray()) {
      if (each == '-' || Character.isWhitespace(each)) {
        continue;
      }
      int value = ALPHABET.indexOf(each == 'o' ? '0' : each == 'i' || each == 'l' ? '1' : each);
      if (value < 0 || ++digits > (length * 8 + BITS - 1) / BITS) {
        return Optional.empty();
      }
      held = (held << BITS) | value;
      bits += BITS;
      if (bits >= 8) {
        bits -= 8;
        bytes[filled++] = (byte) (held >>> bits);
        held &= (1 << bits) - 1;
      }
    }
    return filled == length && held == 0 && digits == (length * 8 + BITS - 1) / BITS
        ? Optional.of(bytes)
        : Optional.empty();
  }
}
