package io.gleaner.space;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Programs of the tests in processes of their own. */
public final class TestJvm {
  private TestJvm() {}

  /**
   * A program that begins quickly and runs shortly; its two streams come as one, and arguments are
   * told as their texts.
   */
  public static ProcessBuilder program(Class<?> program, Object... arguments) {
    List<String> command = command(program, Stream.of(arguments).map(String::valueOf).toList());
    command.add(1, "-XX:TieredStopAtLevel=1");
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /** Runs a program with the JVM and the classes of this one. */
  public static List<String> command(Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith("--add-") || option.contains("ForkJoinPool"))
            .toList());
    command.add("-Xmx512m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(arguments);
    return command;
  }
}
