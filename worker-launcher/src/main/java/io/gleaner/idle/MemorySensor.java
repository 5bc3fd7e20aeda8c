package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Available memory from {@code /proc/meminfo}, waiting for it from {@code /proc/pressure/memory}.
 */
final class MemorySensor implements Sensor<Memory> {
  private static final Pattern SOME = Pattern.compile("some avg10=([0-9.]+) .*");

  private final SystemRoot root;

  MemorySensor(SystemRoot root) {
    this.root = root;
  }

  @Override
  public Reading<Memory> read() {
    try {
      List<String> lines = Files.readAllLines(root.at("proc/meminfo"));
      double total = kilobytes(lines, "MemTotal:");
      return Reading.known(new Memory(100 * kilobytes(lines, "MemAvailable:") / total, stalled()));
    } catch (IOException | RuntimeException e) {
      return Reading.unknown("the memory cannot be read: " + e);
    }
  }

  private static double kilobytes(List<String> lines, String key) throws IOException {
    for (String line : lines) {
      if (line.startsWith(key)) {
        return Double.parseDouble(line.substring(key.length()).replace("kB", "").strip());
      }
    }
    throw new IOException("proc/meminfo has no " + key);
  }

  private double stalled() throws IOException {
    Path pressure = root.at("proc/pressure/memory");
    if (!Files.isReadable(pressure)) {
      return 0; // kernels before 4.20, or without it
    }
    String text;
    try {
      text = Files.readString(pressure);
    } catch (IOException switchedOff) {
      return 0; // the file is there, but psi=0: reading it says EOPNOTSUPP
    }
    Matcher some = SOME.matcher(text.lines().findFirst().orElse(""));
    if (!some.matches()) {
      throw new IOException("proc/pressure/memory says '" + text.strip() + "'");
    }
    return Double.parseDouble(some.group(1));
  }
}
