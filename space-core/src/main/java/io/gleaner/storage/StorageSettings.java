package io.gleaner.storage;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where the node keeps its database and how many use it at a time.
 *
 * @param folder made if it is not there, readable by its owner only
 * @param connections the most that are open at a time, 2 to 64
 * @param connectMillis how long a caller waits for a free connection, 250 or more
 * @param lockMillis how long a statement waits for a row that another transaction holds
 */
public record StorageSettings(Path folder, int connections, long connectMillis, int lockMillis) {
  public StorageSettings {
    Objects.requireNonNull(folder, "folder");
    folder = folder.toAbsolutePath().normalize();
    check(connections >= 2 && connections <= 64, "connections = " + connections, "2 to 64");
    check(connectMillis >= 250, "connectMillis = " + connectMillis, "at least 250");
    check(lockMillis >= 1, "lockMillis = " + lockMillis, "at least 1");
    // In a JDBC URL a semicolon begins the next setting, so such a folder could change them.
    check(folder.toString().indexOf(';') < 0, "folder = " + folder, "a path without a semicolon");
  }

  /** The folder with what suits one node. */
  public static StorageSettings in(Path folder) {
    return new StorageSettings(folder, 12, 10_000, 10_000);
  }

  static void check(boolean holds, String given, String expected) {
    if (!holds) {
      throw new StorageException(
          StorageException.Code.INVALID, "storage: " + given + ", expected " + expected);
    }
  }
}
