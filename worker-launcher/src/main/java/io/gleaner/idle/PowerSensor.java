package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Mains or battery, from {@code /sys/class/power_supply}. A machine without a battery of its own is
 * on mains; batteries of mice and the like (scope Device) do not count.
 */
final class PowerSensor implements Sensor<PowerSource> {
  private final SystemRoot root;

  PowerSensor(SystemRoot root) {
    this.root = root;
  }

  @Override
  public Reading<PowerSource> read() {
    Path supplies = root.at("sys/class/power_supply");
    if (!Files.isDirectory(supplies)) {
      return Files.isDirectory(root.at("sys/class"))
          ? Reading.known(PowerSource.MAINS)
          : Reading.unknown("this system has no " + supplies);
    }
    boolean battery = false;
    boolean discharging = false;
    boolean online = false;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(supplies)) {
      for (Path supply : all) {
        switch (text(supply.resolve("type"))) {
          case "Battery" -> {
            if (!text(supply.resolve("scope")).equals("Device")) {
              battery = true;
              discharging |= text(supply.resolve("status")).equals("Discharging");
            }
          }
          case "Mains", "USB" -> online |= text(supply.resolve("online")).equals("1");
          default -> {
            // UPS and wireless chargers say nothing about this machine's own supply
          }
        }
      }
    } catch (IOException e) {
      return Reading.unknown("the power supplies cannot be read: " + e);
    }
    return Reading.known(
        battery && (discharging || !online) ? PowerSource.BATTERY : PowerSource.MAINS);
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }
}
