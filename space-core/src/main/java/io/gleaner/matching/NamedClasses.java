package io.gleaner.matching;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Classes by names that strangers wrote. A class loader that is parallel capable, as that of the
 * application is, keeps a lock for every name it was ever asked for, so it is asked only for what
 * it has a file of. Safe for all threads.
 */
final class NamedClasses {
  private static final int LONGEST = 512;

  /** Names that were found, so that their files are looked for once. */
  private static final Set<String> FOUND = ConcurrentHashMap.newKeySet();

  private static final int MOST_FOUND = 4096;

  private NamedClasses() {}

  /** The class, not initialised. */
  static Class<?> named(String name, ClassLoader classes) throws ClassNotFoundException {
    if (name.length() > LONGEST) {
      throw new ClassNotFoundException("with a name of " + name.length() + " characters");
    }
    if (!FOUND.contains(name)) {
      if (classes.isRegisteredAsParallelCapable() && !hasFile(name, classes)) {
        throw new ClassNotFoundException(name);
      }
      Class<?> found = Class.forName(name, false, classes);
      if (FOUND.size() < MOST_FOUND) {
        FOUND.add(name);
      }
      return found;
    }
    return Class.forName(name, false, classes);
  }

  private static boolean hasFile(String name, ClassLoader classes) {
    String element = name.replaceFirst("^\\[+", "");
    if (element.length() < name.length()) {
      if (!element.startsWith("L") || !element.endsWith(";")) {
        return element.length() == 1; // int[] and the like
      }
      element = element.substring(1, element.length() - 1);
    }
    // Two names of one file would be two locks.
    boolean oneName = !element.contains("/") && !element.contains("..") && !element.startsWith(".");
    return oneName && classes.getResource(element.replace('.', '/') + ".class") != null;
  }
}
