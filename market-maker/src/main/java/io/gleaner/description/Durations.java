package io.gleaner.description;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 10m}, {@code 2h30m}, {@code 1d}, or ISO 8601. */
public final class Durations {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?:([0-9]{1,9})d)?\\s*(?:([0-9]{1,9})h)?\\s*(?:([0-9]{1,9})m)?\\s*"
              + "(?:([0-9]{1,9})s)?\\s*(?:([0-9]{1,9})ms)?\\s*");

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

  private static long number(Matcher form, int group) {
    String digits = form.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
