package io.gleaner.jini;

import java.lang.management.ManagementFactory;
import java.util.List;

/** The flags by which this JVM found the stand-ins for RMI activation, for its children. */
final class BootClasses {
  private BootClasses() {}

  static List<String> ofThisProcess() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-Xbootclasspath/a:"))
        .toList();
  }
}
