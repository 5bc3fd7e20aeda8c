package io.gleaner.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a running node listens, so that commands on the same machine find it.
 *
 * @param gateway host and port for launchers
 * @param console URL for browsers and commands
 * @param pid the node's process
 */
public record NodeFile(String gateway, String console, long pid) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** The node file of the home, or empty if no node wrote one or the node that did is gone. */
  public static Optional<NodeFile> read(Home home) throws IOException {
    try {
      NodeFile file = JSON.readValue(Files.readString(home.nodeFile()), NodeFile.class);
      return ProcessHandle.of(file.pid).isPresent() ? Optional.of(file) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JacksonException e) {
      throw new IOException(home.nodeFile() + " is damaged; delete it and start the node again", e);
    }
  }

  void write(Home home) throws IOException {
    Path draft = home.nodeFile().resolveSibling("node.json.new");
    Files.writeString(draft, JSON.writeValueAsString(this));
    Files.move(draft, home.nodeFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  static void remove(Home home) throws IOException {
    Files.deleteIfExists(home.nodeFile());
  }
}
