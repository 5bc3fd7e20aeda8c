package io.gleaner.description;

import java.util.Arrays;
import java.util.Optional;

/** What a file may be called in a description: relative, forward slashes, no way out. */
final class FileNames {
  private FileNames() {}

  /** What is wrong with the name, or empty. */
  static Optional<String> problemOf(String name) {
    boolean leavesFolder = Arrays.asList(name.split("/", -1)).contains("..");
    boolean absolute = name.startsWith("/") || name.matches("^[A-Za-z]:.*");
    if (leavesFolder || absolute || name.indexOf('\\') >= 0 || hasControl(name)) {
      return Optional.of(
          "'"
              + name.replaceAll("\\p{Cntrl}", "?")
              + "' leaves the folder of the description; write a relative name with /, without ..");
    }
    return Optional.empty();
  }

  private static boolean hasControl(String name) {
    return name.chars().anyMatch(Character::isISOControl);
  }
}
