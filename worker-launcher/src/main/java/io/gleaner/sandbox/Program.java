package io.gleaner.sandbox;

import java.nio.file.Path;

/**
 * What a child runs: one entry point of one bundle with so much memory.
 *
 * @param bundle the jar; copied into the child's folder, so it may go away later
 * @param digest its SHA-256, which the child verifies before it loads anything
 */
public record Program(Path bundle, String digest, String entryPoint, int memoryMegabytes) {
  private static final int LEAST_MEGABYTES = 16;

  public Program {
    if (memoryMegabytes < LEAST_MEGABYTES) {
      throw new IllegalArgumentException(
          "a child JVM needs at least " + LEAST_MEGABYTES + " MB, got " + memoryMegabytes);
    }
  }
}
