package io.gleaner.storage;

import java.util.Objects;
import java.util.Optional;

/**
 * A PostgreSQL server and how many of this process use it at a time.
 *
 * @param url begins with {@code jdbc:postgresql:}
 * @param connections the most that are open at a time, 2 to 64
 * @param connectMillis how long a caller waits for a free connection, 250 or more
 */
public record ServerSettings(
    String url, String user, Optional<String> password, int connections, long connectMillis) {
  public ServerSettings {
    Objects.requireNonNull(user, "user");
    StorageSettings.check(
        url.startsWith("jdbc:postgresql:"), "url = " + url, "one that begins jdbc:postgresql:");
    StorageSettings.check(
        connections >= 2 && connections <= 64, "connections = " + connections, "2 to 64");
    StorageSettings.check(connectMillis >= 250, "connectMillis = " + connectMillis, "at least 250");
  }

  /** With what suits one node. */
  public static ServerSettings of(String url, String user, Optional<String> password) {
    return new ServerSettings(url, user, password, 8, 10_000);
  }

  @Override
  public String toString() {
    return "ServerSettings[" + url.split("[?]", 2)[0] + ", " + user + "]";
  }
}
