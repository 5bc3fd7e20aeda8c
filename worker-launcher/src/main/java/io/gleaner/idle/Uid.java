package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The number of a user. */
final class Uid {
  private Uid() {}

  /** That of this process, where the system has such numbers. */
  static Optional<Integer> ofProcess() {
    try {
      return Optional.of((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
