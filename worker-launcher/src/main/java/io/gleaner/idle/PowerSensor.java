package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Mains or battery, from {@code /sys/class/power_supply}. A machine without a battery of its own is
 * on mains; batteries of mice and the like (scope Device) do not count.
 */
final class PowerSensor implements Sensor<Power> {
  private final SystemRoot root;

  PowerSensor(SystemRoot root) {
    this.root = root;
  }

  @Override
  public Reading<Power> read() {
    Path supplies = root.at("sys/class/power_supply");
    if (!Files.isDirectory(supplies)) {
      return Files.isDirectory(root.at("sys/class"))
          ? Reading.known(Power.MAINS)
          : Reading.unknown("this system has no " + supplies);
    }
    boolean battery = false;
    int charge = 100;
    boolean discharging = false;
    boolean online = false;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(supplies)) {
      for (Path supply : all) {
        switch (text(supply.resolve("type"))) {
          case "Battery" -> {
            if (!text(supply.resolve("scope")).equals("Device")) {
              battery = true;
              discharging |= text(supply.resolve("status")).equals("Discharging");
              charge = Math.min(charge, charge(supply));
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
        battery && (discharging || !online) ? new Power(true, charge) : Power.MAINS);
  }

  /** A battery that does not tell its charge counts as empty. */
  private static int charge(Path battery) throws IOException {
    String percent = text(battery.resolve("capacity"));
    return percent.matches("[0-9]{1,3}") ? Math.min(100, Integer.parseInt(percent)) : 0;
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }
}
