package io.gleaner.idle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a machine's D-Buses are.
 *
 * @param system that of the machine, with logind and NetworkManager
 * @param session that of the desktop of the user under whom the launcher runs
 */
public record Buses(Optional<String> system, Optional<String> session) {

  /** Those of this process: by its environment, else at their usual places, if they are there. */
  public static Buses ofProcess(SystemRoot root) {
    return new Buses(
        named("DBUS_SYSTEM_BUS_ADDRESS").or(() -> at(root.at("run/dbus/system_bus_socket"))),
        named("DBUS_SESSION_BUS_ADDRESS").or(() -> ofUser(root)));
  }

  private static Optional<String> named(String variable) {
    return Optional.ofNullable(System.getenv(variable)).filter(text -> !text.isBlank());
  }

  private static Optional<String> ofUser(SystemRoot root) {
    return Uid.ofProcess().flatMap(uid -> at(root.at("run/user/" + uid + "/bus")));
  }

  private static Optional<String> at(Path socket) {
    return Files.exists(socket) ? Optional.of("unix:path=" + socket) : Optional.empty();
  }
}
