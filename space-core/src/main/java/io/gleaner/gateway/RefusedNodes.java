package io.gleaner.gateway;

import io.gleaner.authority.PoolIdentity;
import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a pool that were revoked, as its nodes told this member: it believes them no more,
 * also after it was started again. Safe for all threads.
 */
final class RefusedNodes {
  /** How many a node tells of, the newest first. */
  static final int MOST = 200;

  private static final Logger LOG = LoggerFactory.getLogger(RefusedNodes.class);
  private static final String FILE = "revoked-nodes";

  private final Optional<Path> file;
  private volatile Set<String> uris;

  private RefusedNodes(Optional<Path> file, Set<String> uris) {
    this.file = file;
    this.uris = uris;
  }

  /** None, and what is learned is forgotten with this. */
  static RefusedNodes none() {
    return new RefusedNodes(Optional.empty(), Set.of());
  }

  /**
   * Those that the member in the folder was told of.
   *
   * @throws SecurityRefusal if the file with them cannot be read
   */
  static RefusedNodes in(Path folder) {
    Path file = folder.resolve(FILE);
    String text =
        Files.exists(file) ? new String(SecretFile.readBytes(file), StandardCharsets.US_ASCII) : "";
    return new RefusedNodes(Optional.of(file), Set.copyOf(new TreeSet<>(text.lines().toList())));
  }

  boolean has(PoolIdentity node) {
    return uris.contains(node.uri());
  }

  /**
   * Keeps what a node told.
   *
   * @throws MalformedFrame if it is too much, or a name is no identity of a pool
   */
  synchronized void learn(Collection<String> told) throws MalformedFrame {
    Protocol.require(told.size() <= MOST, "more than " + MOST + " revoked nodes");
    for (String uri : told) {
      Protocol.require(
          PoolIdentity.parse(uri).isPresent(), "a revoked node without an identity of a pool");
    }
    Set<String> all = new TreeSet<>(uris);
    if (!all.addAll(told)) {
      return;
    }
    if (all.size() > MOST) {
      all.retainAll(Set.copyOf(told));
    }
    uris = Set.copyOf(all);
    try {
      file.ifPresent(
          path ->
              SecretFile.writeBytes(
                  path, String.join("\n", all).getBytes(StandardCharsets.US_ASCII)));
    } catch (UncheckedIOException e) {
      LOG.warn("which nodes were revoked could not be kept for the next start: {}", e.getMessage());
    }
  }
}
