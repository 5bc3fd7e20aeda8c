package io.gleaner.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.leasing.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SensorsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private void accessed(String path, Duration ago) throws IOException {
    file(path, "");
    Files.getFileAttributeView(root.resolve(path), BasicFileAttributeView.class)
        .setTimes(null, FileTime.from(NOW.minus(ago)), null);
  }

  private void process(long pid, long parent, long user, long system) throws IOException {
    file(
        "proc/" + pid + "/stat",
        pid
            + " (a (strange) name) S "
            + parent
            + " 1 1 0 -1 4194560 9 9 9 9 "
            + user
            + " "
            + system
            + " 0 0 39 19 1 0 55");
  }

  @Test
  void theLoadOfOthersLeavesOutTheLaunchersOwnTree() throws IOException {
    LoadSensor sensor = new LoadSensor(new SystemRoot(root), 100);
    file("proc/stat", "cpu 1000 0 0 9000 0 0 0 0 0 0\ncpu0 1 1\ncpu1 1 1");
    process(100, 1, 10, 0);
    process(101, 100, 300, 0);
    process(102, 101, 0, 0);
    process(200, 1, 500, 0);
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
    // ten seconds of two cores: 150 ticks of ours in child and grandchild, 50 of somebody else's
    file("proc/stat", "cpu 1200 0 0 10800 0 0 0 0 0 0\ncpu0 1 1\ncpu1 1 1");
    process(101, 100, 400, 0);
    process(102, 101, 40, 10);
    process(200, 1, 550, 0);
    assertThat(sensor.read())
        .isEqualTo(Reading.known(new Others(50.0 / 1000.0, Set.of("a (strange) name"))));
  }

  @Test
  void withoutProcTheLoadIsUnknown() {
    assertThat(new LoadSensor(new SystemRoot(root), 1).read()).isInstanceOf(Reading.Unknown.class);
  }

  @Test
  void powerIsReadFromTheSupplies() throws IOException {
    PowerSensor sensor = new PowerSensor(new SystemRoot(root));
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
    Files.createDirectories(root.resolve("sys/class"));
    assertThat(sensor.read()).isEqualTo(Reading.known(Power.MAINS));
    file("sys/class/power_supply/mouse/type", "Battery");
    file("sys/class/power_supply/mouse/scope", "Device");
    file("sys/class/power_supply/mouse/status", "Discharging");
    assertThat(sensor.read()).isEqualTo(Reading.known(Power.MAINS));
    file("sys/class/power_supply/AC/type", "Mains");
    file("sys/class/power_supply/AC/online", "1");
    file("sys/class/power_supply/BAT0/type", "Battery");
    file("sys/class/power_supply/BAT0/status", "Charging");
    assertThat(sensor.read()).isEqualTo(Reading.known(Power.MAINS));
    file("sys/class/power_supply/AC/online", "0");
    file("sys/class/power_supply/BAT0/status", "Discharging");
    assertThat(sensor.read()).isEqualTo(Reading.known(new Power(true, 0)));
    file("sys/class/power_supply/BAT0/capacity", "73");
    assertThat(sensor.read()).isEqualTo(Reading.known(new Power(true, 73)));
  }

  @Test
  void memoryIsWhatIsAvailableAndHowLongProgramsWaitedForIt() throws IOException {
    MemorySensor sensor = new MemorySensor(new SystemRoot(root));
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
    file("proc/meminfo", "MemTotal:  8000 kB\nMemFree:  1 kB\nMemAvailable:  2000 kB");
    assertThat(sensor.read()).isEqualTo(Reading.known(new Memory(25, 0)));
    file(
        "proc/pressure/memory", "some avg10=12.50 avg60=1.00 avg300=0.00 total=5\nfull avg10=0.00");
    assertThat(sensor.read()).isEqualTo(Reading.known(new Memory(25, 12.5)));
    file("proc/pressure/memory", "what?");
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
  }

  @Test
  void theHottestSensorCountsAndOneThatSleepsIsLeftOut() throws IOException {
    TemperatureSensor sensor = new TemperatureSensor(new SystemRoot(root));
    assertThat(sensor.read()).isInstanceOf(Reading.Absent.class);
    file("sys/class/thermal/thermal_zone0/temp", "48000");
    file("sys/class/hwmon/hwmon1/temp2_input", "71500");
    file("sys/class/hwmon/hwmon1/temp3_input", "");
    file("sys/class/hwmon/hwmon2/temp1_input", "-274000");
    assertThat(sensor.read()).isEqualTo(Reading.known(71.5));
    file("sys/class/thermal/thermal_zone0/temp", "");
    file("sys/class/hwmon/hwmon1/temp2_input", "nonsense");
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
  }

  @Test
  void theDiskOfAFolderThatIsNotThereIsUnknown() {
    assertThat(((Reading.Known<Long>) new DiskSensor(root).read()).value()).isPositive();
    assertThat(new DiskSensor(root.resolve("gone")).read()).isInstanceOf(Reading.Unknown.class);
  }

  @Test
  void theTerminalUsedLastTellsTheInputIdleTime() throws IOException {
    TerminalSensor sensor = new TerminalSensor(new SystemRoot(root), () -> NOW);
    assertThat(sensor.read()).isInstanceOf(Reading.Unknown.class);
    accessed("dev/tty1", Duration.ofMinutes(30));
    accessed("dev/pts/3", Duration.ofMinutes(7));
    accessed("dev/ttyless", Duration.ZERO);
    assertThat(sensor.read()).isEqualTo(Reading.known(Duration.ofMinutes(7)));
  }

  @Test
  void aDisplayServerWhoseKeyboardNobodyKnowsMakesTheIdleTimeUnknown() throws IOException {
    Reading<Duration> unknown = Reading.unknown("nobody tells");
    Reading<Duration> typed = Reading.known(Duration.ofHours(1));
    SystemRoot system = new SystemRoot(root);
    assertThat(new InputSensor(() -> unknown, () -> typed, system).read()).isEqualTo(typed);
    file("run/user/1000/wayland-0", "");
    assertThat(new InputSensor(() -> unknown, () -> typed, system).read()).isEqualTo(unknown);
    Reading<Duration> touched = Reading.known(Duration.ofMinutes(2));
    assertThat(new InputSensor(() -> touched, () -> typed, system).read()).isEqualTo(touched);
    assertThat(new InputSensor(() -> typed, () -> touched, system).read()).isEqualTo(touched);
  }

  @Test
  void aSensorThatHangsIsUnknownInTimeAndNotAskedTwice() {
    CountDownLatch never = new CountDownLatch(1);
    Sensor<Duration> hangs =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Reading.known(Duration.ZERO);
        };
    Sensor<Others> broken =
        () -> {
          throw new IllegalStateException("broken");
        };
    Observations free = FreeMachine.SEEN;
    try (Sensors sensors =
        new Sensors(
            new Sensors.Probes(
                hangs,
                broken,
                free::power,
                free::memory,
                free::temperature,
                free::diskFree,
                free::metered),
            Ticker.system())) {
      long began = System.nanoTime();
      Observations seen = sensors.observe(true);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
      assertThat(seen.inputIdle()).isInstanceOf(Reading.Unknown.class);
      assertThat(seen.others()).isInstanceOf(Reading.Unknown.class);
      assertThat(seen.power()).isEqualTo(Reading.known(Power.MAINS));
    }
  }
}
