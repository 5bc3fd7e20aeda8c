package io.gleaner.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value for every {@link Setting}, with where it came from. Immutable. */
public final class Rules {
  private static final Rules STANDARD = new Rules(Map.of());

  /** What was said, by setting; all else is the default. */
  private final Map<Setting<?>, Said<?>> said;

  private record Said<T>(T value, String origin) {}

  /**
   * One line of a listing.
   *
   * @param value as the file would say it
   * @param origin where it was said, or {@code default}
   */
  public record Line(Setting<?> setting, String value, String origin) {}

  private Rules(Map<Setting<?>, Said<?>> said) {
    this.said = said;
  }

  /** The defaults, which suit an ordinary laptop. */
  public static Rules standard() {
    return STANDARD;
  }

  @SuppressWarnings("unchecked") // a setting is put with a value of its own type
  public <T> T get(Setting<T> setting) {
    Said<?> value = said.get(setting);
    return value == null ? setting.standard() : (T) value.value();
  }

  /**
   * The same with one value changed.
   *
   * @param origin where that is said, such as {@code policy.yaml line 3}
   */
  public <T> Rules with(Setting<T> setting, T value, String origin) {
    Map<Setting<?>, Said<?>> all = new LinkedHashMap<>(said);
    all.put(setting, new Said<>(value, origin));
    return new Rules(all);
  }

  /** The same with a value as the file says it, or empty if it is none. */
  <T> Optional<Rules> reading(Setting<T> setting, String text, String origin) {
    return setting.read(text).map(value -> with(setting, value, origin));
  }

  /** These rules, and where they are silent, those. */
  Rules over(Rules those) {
    Map<Setting<?>, Said<?>> all = new LinkedHashMap<>(those.said);
    all.putAll(said);
    return new Rules(all);
  }

  /** Every setting with its effective value and its origin. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (Setting<?> setting : Setting.ALL) {
      lines.add(line(setting));
    }
    return lines;
  }

  private <T> Line line(Setting<T> setting) {
    Said<?> value = said.get(setting);
    return new Line(
        setting, setting.write(get(setting)), value == null ? "default" : value.origin());
  }

  /** Sentences for what contradicts itself; empty if nothing does. */
  List<String> contradictions() {
    List<String> problems = new ArrayList<>();
    above(problems, Setting.LOAD_LEAVE, Setting.LOAD_ENTER, "load");
    above(problems, Setting.TEMPERATURE_LEAVE, Setting.TEMPERATURE_ENTER, "temperature");
    above(problems, Setting.STALL_LEAVE, Setting.STALL_ENTER, "stall");
    above(problems, Setting.MEMORY_ENTER, Setting.MEMORY_LEAVE, "amount of available memory");
    above(problems, Setting.BATTERY_ENTER, Setting.BATTERY_LEAVE, "charge");
    return problems;
  }

  private <T extends Comparable<T>> void above(
      List<String> problems, Setting<T> higher, Setting<T> lower, String what) {
    if (get(higher).compareTo(get(lower)) <= 0) {
      Line high = line(higher);
      Line low = line(lower);
      problems.add(
          "%s is %s (%s) and %s is %s (%s); expected %s to be the higher %s, else work would begin and yield in turns"
              .formatted(
                  higher,
                  high.value(),
                  high.origin(),
                  lower,
                  low.value(),
                  low.origin(),
                  higher,
                  what));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rules rules && lines().equals(rules.lines());
  }

  @Override
  public int hashCode() {
    return lines().hashCode();
  }

  @Override
  public String toString() {
    return said.toString();
  }
}
