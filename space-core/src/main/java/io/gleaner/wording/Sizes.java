package io.gleaner.wording;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 256 MB}; a kilobyte is 1024 bytes. */
public final class Sizes {
  private static final Pattern FORM = Pattern.compile("\\s*([0-9]{1,15})\\s*([kKMGT]?)i?B\\s*");

  private static final List<String> UNITS = List.of("B", "KB", "MB", "GB", "TB");

  private Sizes() {}

  /** Bytes, or empty if the text is not a size or too large for a long. */
  public static Optional<Long> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    int shift =
        switch (form.group(2)) {
          case "k", "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          case "T" -> 40;
          default -> 0;
        };
    try {
      return Optional.of(Math.multiplyExact(Long.parseLong(form.group(1)), 1L << shift));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** A number of bytes in the largest unit that says it exactly. */
  public static String text(long bytes) {
    int unit = 0;
    long rest = bytes;
    while (unit < UNITS.size() - 1 && rest >= 1024 && rest % 1024 == 0) {
      rest /= 1024;
      unit++;
    }
    return rest + " " + UNITS.get(unit);
  }
}
