package io.gleaner.policy;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Weekly windows in which another profile holds than usual, in the local time of the machine. Two
 * windows never cover the same minute.
 *
 * @param windows in the order of the file
 */
public record Week(List<Window> windows) {
  private static final int DAY = 24 * 60;
  private static final int WEEK = 7 * DAY;

  /** No windows. */
  public static final Week PLAIN = new Week(List.of());

  /**
   * From a time of day until another; until the next day if that is not later.
   *
   * @param days on which it begins
   * @param profile what holds in it
   * @param origin where it is written
   */
  public record Window(
      Set<DayOfWeek> days, LocalTime from, LocalTime to, String profile, String origin) {
    public Window {
      days = Set.copyOf(days);
    }

    private boolean covers(int minute) {
      return days.stream().anyMatch(day -> Math.floorMod(minute - begin(day), WEEK) < minutes());
    }

    private int begin(DayOfWeek day) {
      return (day.getValue() - 1) * DAY + minuteOf(from);
    }

    private int minutes() {
      int length = minuteOf(to) - minuteOf(from);
      return length > 0 ? length : length + DAY;
    }

    private static int minuteOf(LocalTime time) {
      return time.getHour() * 60 + time.getMinute();
    }

    @Override
    public String toString() {
      return from + " to " + to;
    }
  }

  public Week {
    windows = List.copyOf(windows);
  }

  /** The window that holds at that local time. */
  Optional<Window> at(LocalDateTime time) {
    int minute = minuteOfWeek(time.getDayOfWeek(), time.toLocalTime());
    return windows.stream().filter(window -> window.covers(minute)).findFirst();
  }

  /** A sentence for each pair of windows that cover the same minute. */
  List<String> overlaps() {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < windows.size(); i++) {
      for (int j = i + 1; j < windows.size(); j++) {
        Window one = windows.get(i);
        Window other = windows.get(j);
        for (int minute = 0; minute < WEEK; minute++) {
          if (one.covers(minute) && other.covers(minute)) {
            problems.add(
                "%s and %s both say what holds on %s at %s; expected one window for each minute"
                    .formatted(one.origin(), other.origin(), dayOf(minute), timeOf(minute)));
            break;
          }
        }
      }
    }
    return problems;
  }

  private static int minuteOfWeek(DayOfWeek day, LocalTime time) {
    return (day.getValue() - 1) * DAY + Window.minuteOf(time);
  }

  private static String dayOf(int minute) {
    return DayOfWeek.of(minute / DAY + 1).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static LocalTime timeOf(int minute) {
    return LocalTime.of(minute % DAY / 60, minute % 60);
  }
}
