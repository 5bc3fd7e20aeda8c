package io.gleaner.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When and how the owner lends the machine: named profiles, one of which holds at any minute of the
 * week.
 *
 * @param profiles what holds under each name
 * @param usual the profile outside all windows
 * @param week the windows
 */
public record OwnerPolicy(Map<String, Rules> profiles, String usual, Week week) {
  /** The profile of who says nothing. */
  public static final String EVERYDAY = "everyday";

  private static final String BUILT_IN = "built-in profile ";

  /**
   * What holds at one moment.
   *
   * @param profile its name
   * @param why who chose it
   */
  public record InForce(String profile, Rules rules, String why) {}

  public OwnerPolicy {
    profiles = Collections.unmodifiableMap(new LinkedHashMap<>(profiles));
    Set<String> problems = new LinkedHashSet<>();
    profiles.values().forEach(rules -> problems.addAll(rules.contradictions()));
    problems.addAll(week.overlaps());
    List<String> named = new ArrayList<>(List.of(usual));
    week.windows().forEach(window -> named.add(window.profile()));
    for (String name : new LinkedHashSet<>(named)) {
      if (!profiles.containsKey(name)) {
        problems.add(noProfile(name, profiles));
      }
    }
    if (!problems.isEmpty()) {
      throw new LauncherException(
          LauncherException.Code.INVALID_POLICY,
          "The owner's policy is not valid:",
          List.copyOf(problems));
    }
  }

  private static String noProfile(String name, Map<String, Rules> profiles) {
    return "there is no profile '" + name + "'; there are " + String.join(", ", profiles.keySet());
  }

  /** The defaults at every hour: idle for 15 minutes, little load of others, on mains. */
  public static OwnerPolicy conservative() {
    return new OwnerPolicy(builtIn(), EVERYDAY, Week.PLAIN);
  }

  /**
   * Profiles that everybody has: {@code everyday} (the defaults), {@code night} (others sleep),
   * {@code office-hours} (more careful), {@code gaming} (nothing that a game could feel) and {@code
   * never}.
   */
  static Map<String, Rules> builtIn() {
    Map<String, Rules> all = new LinkedHashMap<>();
    all.put(EVERYDAY, Rules.standard());
    String night = BUILT_IN + "night";
    all.put(
        "night",
        Rules.standard()
            .with(Setting.INPUT_IDLE, Duration.ofMinutes(5), night)
            .with(Setting.LOAD_ENTER, new BigDecimal("0.5"), night)
            .with(Setting.LOAD_LEAVE, BigDecimal.ONE, night));
    String office = BUILT_IN + "office-hours";
    all.put(
        "office-hours",
        Rules.standard()
            .with(Setting.INPUT_IDLE, Duration.ofMinutes(30), office)
            .with(Setting.ENTER_AFTER, Duration.ofMinutes(5), office)
            .with(Setting.GRACE, Duration.ofMinutes(1), office));
    String gaming = BUILT_IN + "gaming";
    all.put(
        "gaming",
        Rules.standard()
            .with(Setting.INPUT_IDLE, Duration.ofHours(1), gaming)
            .with(Setting.LOAD_ENTER, new BigDecimal("0.1"), gaming)
            .with(Setting.LOAD_LEAVE, new BigDecimal("0.2"), gaming)
            .with(Setting.GRACE, Duration.ZERO, gaming));
    all.put("never", Rules.standard().with(Setting.WORK, false, BUILT_IN + "never"));
    return all;
  }

  /** What holds at that local time. */
  public InForce at(LocalDateTime time) {
    Optional<Week.Window> window = week.at(time);
    return window
        .map(w -> new InForce(w.profile(), profiles.get(w.profile()), "every week from " + w))
        .orElseGet(() -> new InForce(usual, profiles.get(usual), "the usual profile"));
  }

  /**
   * What holds because the owner named that profile.
   *
   * @throws LauncherException INVALID_POLICY if there is none of that name
   */
  public InForce named(String profile) {
    Rules rules = profiles.get(profile);
    if (rules == null) {
      throw new LauncherException(
          LauncherException.Code.INVALID_POLICY, noProfile(profile, profiles));
    }
    return new InForce(profile, rules, "chosen by the owner");
  }

  /**
   * The same with one value changed in every profile.
   *
   * @param origin who says so, such as {@code --dedicated}
   */
  public <T> OwnerPolicy with(Setting<T> setting, T value, String origin) {
    Map<String, Rules> changed = new LinkedHashMap<>();
    profiles.forEach((name, rules) -> changed.put(name, rules.with(setting, value, origin)));
    return new OwnerPolicy(changed, usual, week);
  }

  /** The same for a machine without an owner at its keyboard. */
  public OwnerPolicy asDedicated() {
    return with(Setting.DEDICATED, true, "declared dedicated");
  }
}
