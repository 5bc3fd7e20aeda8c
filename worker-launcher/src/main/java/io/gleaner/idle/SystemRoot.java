package io.gleaner.idle;

import java.nio.file.Path;

/**
 * Where the kernel's files lie; tests put their own tree there.
 *
 * @param path usually {@code /}
 */
public record SystemRoot(Path path) {

  /** The root of this machine. */
  public static SystemRoot real() {
    return new SystemRoot(Path.of("/"));
  }

  Path at(String relative) {
    return path.resolve(relative);
  }
}
