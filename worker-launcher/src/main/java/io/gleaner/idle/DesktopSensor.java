package io.gleaner.idle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Since when nobody touched keyboard and mouse of a desktop: the X server's screen saver where
 * {@code xprintidle} answers, else logind's IdleHint. The hint is set by the desktop after its own
 * delay, so the time it gives is on the short side, which is the safe one.
 */
final class DesktopSensor implements Sensor<Duration> {
  private static final Duration LIMIT = Duration.ofMillis(400);
  private static final List<String> LOGIND =
      List.of(
          "busctl",
          "get-property",
          "org.freedesktop.login1",
          "/org/freedesktop/login1",
          "org.freedesktop.login1.Manager",
          "IdleHint",
          "IdleSinceHint");

  private final InstantSource clock;

  DesktopSensor(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Reading<Duration> read() {
    if (System.getenv("DISPLAY") != null
        && System.getenv("WAYLAND_DISPLAY") == null
        && ProcessProbe.ask(LIMIT, List.of("xprintidle")) instanceof Reading.Known<String> x) {
      return millis(x.value());
    }
    return ProcessProbe.ask(LIMIT, LOGIND) instanceof Reading.Known<String> logind
        ? hint(logind.value(), clock.instant())
        : Reading.unknown("neither the X server nor logind tells when somebody typed");
  }

  private static Reading<Duration> millis(String text) {
    try {
      return Reading.known(Duration.ofMillis(Long.parseLong(text)));
    } catch (NumberFormatException e) {
      return Reading.unknown("xprintidle said '" + text + "'");
    }
  }

  /** Reads {@code b true} and {@code t <microseconds since 1970>}. */
  static Reading<Duration> hint(String answer, Instant now) {
    String[] words = answer.split("\\s+");
    if (words.length != 4 || !words[0].equals("b") || !words[2].equals("t")) {
      return Reading.unknown("logind said '" + answer + "'");
    }
    if (!words[1].equals("true")) {
      return Reading.known(Duration.ZERO);
    }
    Instant since = Instant.EPOCH.plus(Long.parseLong(words[3]), ChronoUnit.MICROS);
    Duration idle = Duration.between(since, now);
    return Reading.known(idle.isNegative() ? Duration.ZERO : idle);
  }

  /** Whether a display server runs, whose keyboard the terminals do not show. */
  static boolean displayServer(SystemRoot root) {
    Path users = root.at("run/user");
    return !list(root.at("tmp/.X11-unix")).isEmpty()
        || list(users).stream()
            .flatMap(user -> list(user).stream())
            .anyMatch(file -> file.getFileName().toString().startsWith("wayland-"));
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (java.io.IOException absent) {
      return List.of(); // not there, or another user's
    }
  }
}
