package io.gleaner.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a running node listens, so that commands and programs on the same machine find it; read by
 * {@link io.gleaner.api.rest.LocalNode}.
 *
 * @param gateway host and port for launchers
 * @param console URL for browsers and commands
 * @param pid the node's process
 */
public record NodeFile(String gateway, String console, long pid) {
  private static final JsonMapper JSON = JsonMapper.shared();

  void write(Home home) throws IOException {
    Path draft = home.nodeFile().resolveSibling("node.json.new");
    Files.writeString(draft, JSON.writeValueAsString(this));
    Files.move(draft, home.nodeFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes it, unless another node has written its own since. */
  void remove(Home home) throws IOException {
    Path file = home.nodeFile();
    if (Files.exists(file) && Files.readString(file).equals(JSON.writeValueAsString(this))) {
      Files.delete(file);
    }
  }
}
