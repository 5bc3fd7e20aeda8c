package io.gleaner.policy;

import io.gleaner.policy.PolicyTree.Scalar;
import io.gleaner.wording.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The owner's policy as a YAML file; every key is optional. What stands at the top holds for every
 * profile that says nothing else; a profile of the name of a built-in one changes that.
 *
 * <pre>
 * input_idle: 10 min
 * profile: everyday
 * profiles:
 *   evening:
 *     load_enter: 0.1
 *     load_leave: 0.3
 * week:
 *   - {days: mon-fri, from: "18:00", to: "23:00", profile: evening}
 *   - {days: daily, from: "23:00", to: "07:00", profile: night}
 * </pre>
 */
public final class PolicyFile {
  private static final long LARGEST_BYTES = 64 * 1024;
  private static final int MOST_WINDOWS = 100;
  private static final String NAME = "[a-z0-9][a-z0-9_-]{0,31}";
  private static final String PROFILE = "profile";
  private static final String PROFILES = "profiles";
  private static final String WEEK = "week";
  private static final List<String> WINDOW = List.of("days", "from", "to", PROFILE);

  private final String file;
  private final List<String> problems = new ArrayList<>();

  private PolicyFile(Path file) {
    this.file = String.valueOf(file.getFileName());
  }

  /**
   * Reads the file.
   *
   * @throws LauncherException INVALID_POLICY with line and key of every error
   */
  public static OwnerPolicy read(Path file) {
    PolicyFile reader = new PolicyFile(file);
    try {
      if (Files.size(file) > LARGEST_BYTES) {
        throw invalid(file, List.of("the file is longer than " + LARGEST_BYTES + " bytes"));
      }
      return reader.policy(PolicyTree.read(Files.readString(file)));
    } catch (NoSuchFileException e) {
      throw invalid(file, List.of("there is no such file"));
    } catch (IOException e) {
      throw invalid(file, List.of("the file cannot be read: " + e.getMessage()));
    } catch (PolicyTree.NotReadable e) {
      throw invalid(file, List.of(e.getMessage()));
    } catch (LauncherException e) {
      throw invalid(file, e.problems());
    }
  }

  private static LauncherException invalid(Path file, List<String> problems) {
    return new LauncherException(
        LauncherException.Code.INVALID_POLICY,
        "The owner's policy " + file + " is not valid:",
        problems);
  }

  private OwnerPolicy policy(PolicyTree.Mapping top) {
    Map<String, Rules> profiles = OwnerPolicy.builtIn();
    Map<String, PolicyTree.Value> own = new LinkedHashMap<>(top.values());
    Optional<PolicyTree.Value> usual = Optional.ofNullable(own.remove(PROFILE));
    Optional<PolicyTree.Value> named = Optional.ofNullable(own.remove(PROFILES));
    Optional<PolicyTree.Value> week = Optional.ofNullable(own.remove(WEEK));
    Rules base = rules(own, Rules.standard(), file, List.of(PROFILE, PROFILES, WEEK));
    named.ifPresent(value -> profiles(value, profiles));
    profiles.replaceAll((name, rules) -> rules.over(base));
    List<Week.Window> windows = new ArrayList<>();
    week.ifPresent(value -> windows(value, windows));
    String profile = usual.map(this::word).orElse(OwnerPolicy.EVERYDAY);
    if (!problems.isEmpty()) {
      throw new LauncherException(LauncherException.Code.INVALID_POLICY, "", problems);
    }
    return new OwnerPolicy(profiles, profile, new Week(windows));
  }

  private void profiles(PolicyTree.Value value, Map<String, Rules> profiles) {
    for (Map.Entry<String, PolicyTree.Value> entry :
        mapping(value, "names of profiles, each with its settings").entrySet()) {
      String name = entry.getKey();
      if (!name.matches(NAME)) {
        problems.add(
            "line %d: '%s' is no name for a profile, expected up to 32 small letters, digits, '-' or '_'"
                .formatted(entry.getValue().line(), name));
        continue;
      }
      Rules before = profiles.getOrDefault(name, Rules.standard());
      profiles.put(
          name,
          rules(
              mapping(entry.getValue(), "settings such as input_idle"),
              before,
              "profile " + name + ", " + file,
              List.of()));
    }
  }

  private Rules rules(
      Map<String, PolicyTree.Value> values, Rules before, String where, List<String> alsoKnown) {
    Rules rules = before;
    for (Map.Entry<String, PolicyTree.Value> entry : values.entrySet()) {
      PolicyTree.Value value = entry.getValue();
      Optional<Setting<?>> setting = Setting.named(entry.getKey());
      if (setting.isEmpty()) {
        unknown(entry.getKey(), value, alsoKnown);
      } else {
        String text = value.text();
        Optional<Rules> read = rules.reading(setting.get(), text, where + " line " + value.line());
        if (read.isEmpty()) {
          problems.add(
              "line %d: %s is '%s', expected %s"
                  .formatted(value.line(), entry.getKey(), text, setting.get().expected()));
        }
        rules = read.orElse(rules);
      }
    }
    return rules;
  }

  private void unknown(String key, PolicyTree.Value value, List<String> alsoKnown) {
    List<String> known = new ArrayList<>();
    Setting.ALL.forEach(setting -> known.add(setting.key()));
    known.addAll(alsoKnown);
    problems.add(
        "line %d: %s is unknown; %s"
            .formatted(
                value.line(),
                key,
                NearestName.of(key, known)
                    .map(name -> "did you mean " + name + "?")
                    .orElse("known are " + String.join(", ", known))));
  }

  private void windows(PolicyTree.Value value, List<Week.Window> windows) {
    if (!(value instanceof PolicyTree.Listing list) || list.values().size() > MOST_WINDOWS) {
      problems.add(
          "line %d: week is no list of windows, expected lines of the form '- {days: mon-fri, from: \"22:00\", to: \"07:00\", profile: night}', at most %d"
              .formatted(value.line(), MOST_WINDOWS));
      return;
    }
    for (PolicyTree.Value window : list.values()) {
      window(window).ifPresent(windows::add);
    }
  }

  private Optional<Week.Window> window(PolicyTree.Value value) {
    int before = problems.size();
    Map<String, PolicyTree.Value> parts = mapping(value, "days, from, to and profile");
    if (problems.size() == before && !parts.keySet().equals(Set.copyOf(WINDOW))) {
      problems.add(
          "line %d: a window has %s, expected exactly days, from, to and profile"
              .formatted(value.line(), String.join(", ", parts.keySet())));
    }
    if (problems.size() > before) {
      return Optional.empty();
    }
    Set<java.time.DayOfWeek> days = days(parts.get("days"));
    LocalTime from = time("from", parts.get("from"));
    LocalTime to = time("to", parts.get("to"));
    String profile = word(parts.get(PROFILE));
    return problems.size() > before
        ? Optional.empty()
        : Optional.of(new Week.Window(days, from, to, profile, file + " line " + value.line()));
  }

  private Set<java.time.DayOfWeek> days(PolicyTree.Value value) {
    Optional<Set<java.time.DayOfWeek>> days = Days.parse(value.words());
    if (days.isEmpty()) {
      problems.add(
          "line %d: days is '%s', expected such as mon-fri, 'sat sun', [mon, wed] or daily"
              .formatted(value.line(), String.join(" ", value.words())));
    }
    return days.orElse(Set.of());
  }

  private LocalTime time(String key, PolicyTree.Value value) {
    String text = word(value);
    try {
      return LocalTime.parse(text.equals("24:00") ? "00:00" : text);
    } catch (DateTimeParseException e) {
      problems.add(
          "line %d: %s is '%s', expected a time of day such as \"22:00\""
              .formatted(value.line(), key, text));
      return LocalTime.MIDNIGHT;
    }
  }

  private String word(PolicyTree.Value value) {
    if (value instanceof Scalar scalar) {
      return scalar.text().strip();
    }
    problems.add("line %d: several values, expected one".formatted(value.line()));
    return "";
  }

  private Map<String, PolicyTree.Value> mapping(PolicyTree.Value value, String expected) {
    if (value instanceof PolicyTree.Mapping mapping) {
      return mapping.values();
    }
    problems.add(
        "line %d: '%s' is a single value or a list, expected %s"
            .formatted(value.line(), String.join(" ", value.words()), expected));
    return Map.of();
  }
}
