package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.calls.ClassClosure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The program of a bag: the bytes of a jar; immutable. The same classes give the same bytes, so
 * that a program is stored once.
 *
 * @param jar shared, must not be changed
 */
public record Bundle(byte[] jar) {

  /**
   * The classes with all classes that they refer to, directly or not, except those of the JDK and
   * of Gleaner, which the launcher brings. What is only reached by reflection has to be named; a
   * program with resources needs a jar of its own.
   *
   * @throws GleanerException TOO_LARGE, or DAMAGED if a class cannot be found as bytes
   */
  public static Bundle of(Class<?>... classes) {
    return new Bundle(new ClassClosure().and(List.of(classes)).jar());
  }

  /** A jar that was built by other means. */
  public static Bundle of(Path jar) {
    try {
      return new Bundle(Files.readAllBytes(jar));
    } catch (IOException e) {
      throw new GleanerException(Code.FILE, "cannot read " + jar + ": " + e.getMessage(), e);
    }
  }
}
