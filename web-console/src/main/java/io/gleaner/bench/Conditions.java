package io.gleaner.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Under what the figures were taken: a figure without it says nothing. */
final class Conditions {
  static final String FAST_COMPILER = "-XX:TieredStopAtLevel=1";

  private Conditions() {}

  /** Name and value, in the order in which they are told. */
  static Map<String, String> now(Scale scale) {
    Map<String, String> told = new LinkedHashMap<>();
    told.put(
        "machine",
        processor()
            + ", "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version"));
    told.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    told.put(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    told.put(
        "compiler",
        isQuicklyCompiled() ? "the fast one alone, in all processes" : "both, in all processes");
    told.put("load", load());
    told.put(
        "heap",
        "at most "
            + Runtime.getRuntime().maxMemory() / (1024 * 1024)
            + " MB in each process, "
            + collector());
    told.put("scale", scale.toString());
    return told;
  }

  /** The load average of the last minute: what else the machine does. */
  static String load() {
    return String.format(
        Locale.ROOT, "%.2f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** Whether the compiler that takes long is off. */
  static boolean isQuicklyCompiled() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().contains(FAST_COMPILER);
  }

  private static String collector() {
    return ManagementFactory.getGarbageCollectorMXBeans().get(0).getName();
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
