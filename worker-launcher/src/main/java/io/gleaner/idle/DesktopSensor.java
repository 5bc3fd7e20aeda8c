package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.freedesktop.dbus.annotations.DBusInterfaceName;
import org.freedesktop.dbus.interfaces.DBusInterface;
import org.freedesktop.dbus.types.UInt32;
import org.freedesktop.dbus.types.UInt64;

/**
 * Since when nobody touched keyboard and mouse of a desktop. What the desktop itself counts is
 * exact: GNOME's idle monitor, the screen saver of KDE and others, the X server's. It is believed
 * while the launcher's own user is at the screen; else, and where no desktop answers, logind's hint
 * for all sessions counts, which a desktop gives after a delay of its own, so that the time is on
 * the short side, which is the safe one.
 */
final class DesktopSensor implements Sensor<Duration> {
  private static final Duration LIMIT = Duration.ofMillis(400);
  private static final String LOGIND = "org.freedesktop.login1";
  private static final String LOGIND_PATH = "/org/freedesktop/login1";
  private static final String MANAGER = "org.freedesktop.login1.Manager";
  private static final long MICROS = 1000;

  private final Bus system;
  private final Bus session;
  private final SystemRoot root;
  private final InstantSource clock;

  /** GNOME's, in milliseconds. */
  @DBusInterfaceName("org.gnome.Mutter.IdleMonitor")
  public interface IdleMonitor extends DBusInterface {
    UInt64 GetIdletime();
  }

  /** That of KDE and others, in milliseconds (KDE) as its description says. */
  @DBusInterfaceName("org.freedesktop.ScreenSaver")
  public interface ScreenSaver extends DBusInterface {
    UInt32 GetSessionIdleTime();
  }

  DesktopSensor(Buses buses, SystemRoot root, InstantSource clock) {
    this.system = new Bus(buses.system());
    this.session = new Bus(buses.session());
    this.root = root;
    this.clock = clock;
  }

  @Override
  public Reading<Duration> read() {
    Optional<Duration> exact = ownUserIsAtTheScreen() ? exact() : Optional.empty();
    return exact.isPresent() ? Reading.known(exact.get()) : hint();
  }

  private Optional<Duration> exact() {
    return Stream.of(mutter(), screenSaver(), server())
        .flatMap(
            reading ->
                reading instanceof Reading.Known<Duration> k
                    ? Stream.of(k.value())
                    : Stream.empty())
        .min(Duration::compareTo);
  }

  private Reading<Duration> mutter() {
    return session.ask(
        "org.gnome.Mutter.IdleMonitor",
        "/org/gnome/Mutter/IdleMonitor/Core",
        IdleMonitor.class,
        monitor -> Duration.ofMillis(monitor.GetIdletime().longValue()));
  }

  private Reading<Duration> screenSaver() {
    return session.ask(
        "org.freedesktop.ScreenSaver",
        "/org/freedesktop/ScreenSaver",
        ScreenSaver.class,
        saver -> Duration.ofMillis(saver.GetSessionIdleTime().longValue()));
  }

  private static Reading<Duration> server() {
    if (System.getenv("DISPLAY") == null || System.getenv("WAYLAND_DISPLAY") != null) {
      return Reading.absent("there is no X server");
    }
    Reading<String> said = ProcessProbe.ask(LIMIT, List.of("xprintidle"));
    try {
      return said instanceof Reading.Known<String> known
          ? Reading.known(Duration.ofMillis(Long.parseLong(known.value())))
          : Reading.unknown(((Reading.Unknown<String>) said).why());
    } catch (NumberFormatException e) {
      return Reading.unknown("xprintidle said " + said);
    }
  }

  /** What logind says of all sessions together. */
  private Reading<Duration> hint() {
    Reading<Boolean> idle =
        system.property(LOGIND, LOGIND_PATH, MANAGER, "IdleHint", Boolean.class);
    if (idle instanceof Reading.Known<Boolean> known) {
      if (!known.value()) {
        return Reading.known(Duration.ZERO);
      }
      Reading<UInt64> since =
          system.property(LOGIND, LOGIND_PATH, MANAGER, "IdleSinceHint", UInt64.class);
      if (since instanceof Reading.Known<UInt64> micros) {
        long ago = clock.millis() - micros.value().longValue() / MICROS;
        return Reading.known(Duration.ofMillis(Math.max(0, ago)));
      }
    }
    return Reading.unknown("neither the desktop nor logind tells when somebody typed");
  }

  /** By the file in which logind keeps who is at the first seat; alone where there is none. */
  private boolean ownUserIsAtTheScreen() {
    try {
      Optional<String> active =
          Files.readAllLines(root.at("run/systemd/seats/seat0")).stream()
              .filter(line -> line.startsWith("ACTIVE_UID="))
              .findFirst();
      return active.isPresent()
          && Uid.ofProcess().map(uid -> active.get().equals("ACTIVE_UID=" + uid)).orElse(false);
    } catch (IOException noSeats) {
      return true;
    }
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
    } catch (IOException absent) {
      return List.of(); // not there, or another user's
    }
  }
}
