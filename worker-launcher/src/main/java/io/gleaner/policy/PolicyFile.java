package io.gleaner.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * The owner's policy as a YAML file; every key is optional.
 *
 * <pre>
 * dedicated: false
 * input_idle: 15 min
 * load_enter: 0.2
 * load_leave: 0.4
 * enter_after: 1 min
 * leave_after: 0 s
 * mains_only: true
 * grace: 5 min
 * </pre>
 */
public final class PolicyFile {
  private static final long LARGEST_BYTES = 64 * 1024;
  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,9})\\s*(ms|s|sec|m|min|h|hours?|minutes?|seconds?)");

  private final List<String> problems = new ArrayList<>();
  private boolean dedicated;
  private Duration inputIdle;
  private double loadEnter;
  private double loadLeave;
  private Duration enterAfter;
  private Duration leaveAfter;
  private boolean mainsOnly;
  private Duration grace;

  private PolicyFile() {
    OwnerPolicy standard = OwnerPolicy.conservative();
    dedicated = standard.dedicated();
    inputIdle = standard.inputIdle();
    loadEnter = standard.loadEnter();
    loadLeave = standard.loadLeave();
    enterAfter = standard.enterAfter();
    leaveAfter = standard.leaveAfter();
    mainsOnly = standard.mainsOnly();
    grace = standard.grace();
  }

  /**
   * Reads the file.
   *
   * @throws LauncherException INVALID_POLICY with line and key of every error
   */
  public static OwnerPolicy read(Path file) {
    try {
      if (Files.size(file) > LARGEST_BYTES) {
        throw invalid(file, List.of("the file is longer than " + LARGEST_BYTES + " bytes"));
      }
      return parse(file, Files.readString(file));
    } catch (NoSuchFileException e) {
      throw invalid(file, List.of("there is no such file"));
    } catch (IOException e) {
      throw invalid(file, List.of("the file cannot be read: " + e.getMessage()));
    }
  }

  private static OwnerPolicy parse(Path file, String yaml) {
    PolicyFile policy = new PolicyFile();
    try (JsonParser parser = new YAMLFactory().createParser(ObjectReadContext.empty(), yaml)) {
      policy.readAll(parser);
    } catch (JacksonException e) {
      policy.problems.add(
          "line " + e.getLocation().getLineNr() + ": this is no YAML: " + e.getOriginalMessage());
    }
    if (!policy.problems.isEmpty()) {
      throw invalid(file, policy.problems);
    }
    return new OwnerPolicy(
        policy.dedicated,
        policy.inputIdle,
        policy.loadEnter,
        policy.loadLeave,
        policy.enterAfter,
        policy.leaveAfter,
        policy.mainsOnly,
        policy.grace);
  }

  private static LauncherException invalid(Path file, List<String> problems) {
    return new LauncherException(
        LauncherException.Code.INVALID_POLICY,
        "The owner's policy " + file + " is not valid:",
        problems);
  }

  private void readAll(JsonParser parser) {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return; // an empty file is the default policy
    }
    if (first != JsonToken.START_OBJECT) {
      problems.add("line 1: expected lines of the form 'key: value'");
      return;
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      String place = "line " + parser.currentTokenLocation().getLineNr() + ": " + key;
      JsonToken value = parser.nextToken();
      if (value.isStructStart()) {
        problems.add(place + " has a nested value, expected a single one");
        parser.skipChildren();
      } else {
        set(key, place, parser.getString());
      }
    }
  }

  private void set(String key, String place, String value) {
    switch (key) {
      case "dedicated" -> dedicated = truth(place, value);
      case "input_idle" -> inputIdle = duration(place, value).orElse(inputIdle);
      case "load_enter" -> loadEnter = number(place, value);
      case "load_leave" -> loadLeave = number(place, value);
      case "enter_after" -> enterAfter = duration(place, value).orElse(enterAfter);
      case "leave_after" -> leaveAfter = duration(place, value).orElse(leaveAfter);
      case "mains_only" -> mainsOnly = truth(place, value);
      case "grace" -> grace = duration(place, value).orElse(grace);
      default ->
          problems.add(
              place
                  + " is unknown; known are dedicated, input_idle, load_enter, load_leave,"
                  + " enter_after, leave_after, mains_only, grace");
    }
  }

  private boolean truth(String place, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      problems.add(place + " is '" + value + "', expected true or false");
    }
    return value.equals("true");
  }

  private double number(String place, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      problems.add(place + " is '" + value + "', expected a number of cores such as 0.2");
      return 0;
    }
  }

  private Optional<Duration> duration(String place, String value) {
    Matcher matcher = DURATION.matcher(value.strip());
    if (!matcher.matches()) {
      problems.add(place + " is '" + value + "', expected a duration such as 15 min or 30 s");
      return Optional.empty();
    }
    long amount = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2);
    return Optional.of(
        unit.equals("ms")
            ? Duration.ofMillis(amount)
            : unit.startsWith("s")
                ? Duration.ofSeconds(amount)
                : unit.startsWith("m") ? Duration.ofMinutes(amount) : Duration.ofHours(amount));
  }
}
