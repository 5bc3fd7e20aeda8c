package io.gleaner.policy;

import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Days of the week as people write them: {@code mon-fri}, {@code sat sun}, {@code daily}. */
final class Days {
  private static final List<String> NAMES =
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private Days() {}

  /** The days, or empty if one of the words is none. */
  static Optional<Set<DayOfWeek>> parse(List<String> words) {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String word : words) {
      if (word.equals("daily")) {
        days.addAll(EnumSet.allOf(DayOfWeek.class));
        continue;
      }
      String[] ends = word.split("-", -1);
      int first = day(ends[0]);
      int last = day(ends[ends.length - 1]);
      if (ends.length > 2 || first < 0 || last < 0) {
        return Optional.empty();
      }
      for (int day = first; ; day = (day + 1) % 7) {
        days.add(DayOfWeek.of(day + 1));
        if (day == last) {
          break;
        }
      }
    }
    return Optional.of(days).filter(set -> !set.isEmpty());
  }

  private static int day(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return lower.length() < 3 ? -1 : NAMES.indexOf(lower.substring(0, 3));
  }
}
