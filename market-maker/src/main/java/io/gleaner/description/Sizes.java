package io.gleaner.description;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 256 MB}; a kilobyte is 1024 bytes. */
public final class Sizes {
  private static final Pattern FORM = Pattern.compile("\\s*([0-9]{1,15})\\s*([kKMGT]?)i?B\\s*");

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
}
