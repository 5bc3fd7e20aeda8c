package io.gleaner.wording;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 10m}, {@code 15 min}, {@code 2h30m}, {@code 1d}, or ISO
 * 8601.
 */
public final class Durations {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?:([0-9]{1,9})\\s*(?:d|days?))?"
              + "\\s*(?:([0-9]{1,9})\\s*(?:h|hours?))?"
              + "\\s*(?:([0-9]{1,9})\\s*(?:m|min|minutes?))?"
              + "\\s*(?:([0-9]{1,9})\\s*(?:s|sec|seconds?))?"
              + "\\s*(?:([0-9]{1,9})\\s*ms)?\\s*");

  private Durations() {}

  /** The duration, or empty if the text is none. */
  public static Optional<Duration> parse(String text) {
    if (text.strip().toUpperCase(Locale.ROOT).startsWith("P")) {
      try {
        return Optional.of(Duration.parse(text.strip()));
      } catch (DateTimeException | ArithmeticException e) {
        return Optional.empty();
      }
    }
    Matcher form = FORM.matcher(text);
    if (text.isBlank() || !form.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Duration.ofDays(number(form, 1))
            .plusHours(number(form, 2))
            .plusMinutes(number(form, 3))
            .plusSeconds(number(form, 4))
            .plusMillis(number(form, 5)));
  }

  /**
   * A duration as a person says it, in whole units of a fitting size: {@code 90 s}, {@code 3 h}.
   */
  public static String words(Duration time) {
    long seconds = time.toSeconds();
    return seconds < 120
        ? seconds + " s"
        : seconds < 2 * 3600 ? seconds / 60 + " min" : seconds / 3600 + " h";
  }

  /** A duration in the largest unit that says it exactly, as {@link #parse} takes it. */
  public static String text(Duration time) {
    if (time.toMillisPart() != 0) {
      return time.toMillis() + " ms";
    }
    long seconds = time.toSeconds();
    if (seconds % 60 != 0 || seconds < 120) {
      return seconds + " s";
    }
    return seconds % 3600 == 0 && seconds > 3600 ? seconds / 3600 + " h" : seconds / 60 + " min";
  }

  private static long number(Matcher form, int group) {
    String digits = form.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
