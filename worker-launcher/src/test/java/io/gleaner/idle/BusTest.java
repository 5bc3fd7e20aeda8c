package io.gleaner.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.freedesktop.dbus.connections.impl.DBusConnection;
import org.freedesktop.dbus.connections.impl.DBusConnectionBuilder;
import org.freedesktop.dbus.interfaces.Properties;
import org.freedesktop.dbus.types.UInt32;
import org.freedesktop.dbus.types.UInt64;
import org.freedesktop.dbus.types.Variant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sensors beside a real bus daemon of their own, with stand-ins of logind and the desktop. */
@Timeout(60)
class BusTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir Path root;
  private Process daemon;
  private String address;
  private DBusConnection services;
  private final Map<String, Object> logind = new ConcurrentHashMap<>();
  private final Map<String, Object> network = new ConcurrentHashMap<>();

  /** An object that has properties and nothing else. */
  private record Thing(String path, Map<String, Object> values) implements Properties {
    @Override
    public String getObjectPath() {
      return path;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the library declares it
    public <A> A Get(String owner, String name) {
      return (A) values.get(name);
    }

    @Override
    public <A> void Set(String owner, String name, A value) {
      values.put(name, value);
    }

    @Override
    public Map<String, Variant<?>> GetAll(String owner) {
      Map<String, Variant<?>> all = new HashMap<>();
      values.forEach((name, value) -> all.put(name, new Variant<>(value)));
      return all;
    }
  }

  /** GNOME's counter. */
  public static final class Monitor implements DesktopSensor.IdleMonitor {
    private final long millis;

    Monitor(long millis) {
      this.millis = millis;
    }

    @Override
    public UInt64 GetIdletime() {
      return new UInt64(millis);
    }

    @Override
    public String getObjectPath() {
      return "/org/gnome/Mutter/IdleMonitor/Core";
    }
  }

  @BeforeEach
  void aBusRuns() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/dbus-daemon")),
        "the package dbus-daemon is not installed");
    daemon =
        new ProcessBuilder(
                "/usr/bin/dbus-daemon",
                "--session",
                "--nofork",
                "--print-address",
                "--address=unix:dir=" + root)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said = daemon.inputReader();
    address = said.readLine();
    services = DBusConnectionBuilder.forAddress(address).withShared(false).build();
  }

  @AfterEach
  void theBusEnds() throws IOException {
    if (services != null) {
      services.close();
    }
    if (daemon != null) {
      daemon.destroyForcibly();
    }
  }

  private void serves(String name, Properties thing) throws Exception {
    services.exportObject(thing);
    services.requestBusName(name);
  }

  private void logindSays(boolean idle, Instant since) throws Exception {
    logind.put("IdleHint", idle);
    logind.put("IdleSinceHint", new UInt64(since.toEpochMilli() * 1000));
    serves("org.freedesktop.login1", new Thing("/org/freedesktop/login1", logind));
  }

  private DesktopSensor sensor(Optional<String> session) {
    return new DesktopSensor(
        new Buses(Optional.of(address), session), new SystemRoot(root), () -> NOW);
  }

  @Test
  void logindsHintIsReadWhenItChanges() throws Exception {
    logindSays(false, Instant.EPOCH);
    DesktopSensor sensor = sensor(Optional.empty());
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ZERO));
    logind.put("IdleHint", true);
    logind.put("IdleSinceHint", new UInt64(NOW.minusSeconds(90).toEpochMilli() * 1000));
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ofSeconds(90)));
  }

  @Test
  void theDesktopIsExactAndBelievedForItsOwnUserOnly() throws Exception {
    logindSays(true, NOW.minusSeconds(7));
    services.exportObject(new Monitor(123_000));
    services.requestBusName("org.gnome.Mutter.IdleMonitor");
    DesktopSensor sensor = sensor(Optional.of(address));
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ofSeconds(123)));
    Path seat = Files.createDirectories(root.resolve("run/systemd/seats")).resolve("seat0");
    Files.writeString(seat, "IS_SEAT0=1\nACTIVE=c2\nACTIVE_UID=4711\n");
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ofSeconds(7)));
    Files.writeString(seat, "ACTIVE_UID=" + Uid.ofProcess().orElseThrow() + "\n");
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ofSeconds(123)));
  }

  @Test
  void whatNobodyTellsIsUnknownAndABusThatReturnsIsAskedAgain() throws Exception {
    DesktopSensor sensor = sensor(Optional.empty());
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
    logindSays(true, NOW.minusSeconds(5));
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ofSeconds(5)));
    daemon.destroyForcibly().waitFor();
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
    DesktopSensor without =
        new DesktopSensor(
            new Buses(Optional.empty(), Optional.empty()), new SystemRoot(root), () -> NOW);
    assertThat(without.read()).isInstanceOf(Reading.Unknown.class);
  }

  @Test
  void theNetworkIsMeteredAsNetworkManagerSays() throws Exception {
    NetworkSensor sensor = new NetworkSensor(new Buses(Optional.of(address), Optional.empty()));
    assertThat(sensor.read()).isInstanceOf(Reading.Absent.class);
    network.put("Metered", new UInt32(2));
    serves("org.freedesktop.NetworkManager", new Thing("/org/freedesktop/NetworkManager", network));
    assertThat(sensor.read()).isEqualTo(Reading.known(false));
    network.put("Metered", new UInt32(3));
    assertThat(sensor.read()).isEqualTo(Reading.known(true));
    network.put("Metered", "perhaps");
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
  }
}
