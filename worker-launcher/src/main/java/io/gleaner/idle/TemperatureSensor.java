package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hottest of the machine's own sensors, in degrees Celsius: {@code /sys/class/thermal} zones
 * and {@code /sys/class/hwmon} inputs. One that is asleep or answers nonsense, as some do, is left
 * out while others answer; a machine with none at all has no temperature to mind.
 */
final class TemperatureSensor implements Sensor<Double> {
  private static final Logger LOG = LoggerFactory.getLogger(TemperatureSensor.class);
  private static final double COLDEST = -20;
  private static final double HOTTEST = 150;

  private final SystemRoot root;

  TemperatureSensor(SystemRoot root) {
    this.root = root;
  }

  @Override
  public Reading<Double> read() {
    List<Path> inputs = new ArrayList<>();
    try {
      find(inputs, root.at("sys/class/thermal"), "thermal_zone*", "temp");
      find(inputs, root.at("sys/class/hwmon"), "hwmon*", "temp*_input");
    } catch (IOException e) {
      return Reading.unknown("the temperature cannot be read: " + e);
    }
    if (inputs.isEmpty()) {
      return Reading.absent("this machine has no temperature sensor");
    }
    OptionalDouble hottest =
        inputs.stream()
            .map(TemperatureSensor::celsius)
            .flatMapToDouble(OptionalDouble::stream)
            .max();
    return hottest.isPresent()
        ? Reading.known(hottest.getAsDouble())
        : Reading.unknown("none of " + inputs.size() + " temperature sensors answers");
  }

  private static void find(List<Path> inputs, Path folder, String devices, String names)
      throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, devices)) {
      for (Path device : all) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(device, names)) {
          files.forEach(inputs::add);
        }
      }
    }
  }

  private static OptionalDouble celsius(Path input) {
    try {
      double value = Integer.parseInt(Files.readString(input).strip()) / 1000.0;
      return value > COLDEST && value < HOTTEST ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (IOException | NumberFormatException asleep) {
      LOG.trace("{} does not answer", input, asleep);
      return OptionalDouble.empty();
    }
  }
}
