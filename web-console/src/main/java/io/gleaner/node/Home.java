package io.gleaner.node;

import io.gleaner.api.rest.LocalNode;
import io.gleaner.secrets.PrivateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The folder in which a node keeps everything, and the names of what lies in it. */
public record Home(Path folder) {

  public Home {
    folder = folder.toAbsolutePath().normalize();
  }

  /** The folder that was named, else {@code GLEANER_HOME}, else {@code .gleaner} of the user. */
  public static Home of(Optional<Path> named) {
    return new Home(named.orElseGet(LocalNode::home));
  }

  /** Makes the folder, for its user only where the file system knows users. */
  void create() throws IOException {
    PrivateFolder.create(folder);
  }

  /** Where the running node listens; there only while it runs. */
  public Path nodeFile() {
    return folder.resolve("node.json");
  }

  /** The API token of the local command line; readable by its owner only. */
  public Path commandToken() {
    return folder.resolve("command-token");
  }

  /** The join token for one launcher of this machine's own user; readable by its owner only. */
  public Path joinToken() {
    return folder.resolve("join-token");
  }

  /** Key and certificate for programs of this machine's own user. */
  public Path application() {
    return LocalNode.applicationIn(folder);
  }

  /** Fingerprints by which commands on this machine believe a console that speaks TLS. */
  public Path consoleKeys() {
    return LocalNode.consoleKeysIn(folder);
  }

  /** The certificates of the pool's authorities, for browsers and other programs. */
  public Path authorities() {
    return folder.resolve("authority.pem");
  }

  /** What the node is called in its pool. */
  public Path nodeId() {
    return folder.resolve("node-id");
  }

  /** The first password of the operator, until it is changed; readable by its owner only. */
  public Path firstPassword() {
    return folder.resolve("first-password");
  }

  /** The key with which this node signs checkpoints; readable by its owner only. */
  public Path auditKey() {
    return folder.resolve("audit-key");
  }

  /** The newest checkpoints that this node signed. */
  public Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  /** The key with which the node signs programs that come unsigned. */
  public Path signer() {
    return folder.resolve("signer-key");
  }

  /** The key with which this user signs programs. */
  public Path mySigner() {
    return folder.resolve("my-signer-key");
  }

  public Path database() {
    return folder.resolve("database");
  }

  /** The entries of the space. */
  public Path space() {
    return folder.resolve("space");
  }

  public Path blobs() {
    return folder.resolve("blobs");
  }

  /** Where uploads wait until they are whole. */
  public Path uploads() {
    return folder.resolve("uploads");
  }

  public Path log() {
    return folder.resolve("node.log");
  }
}
