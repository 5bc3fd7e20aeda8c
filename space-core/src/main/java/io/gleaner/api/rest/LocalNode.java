package io.gleaner.api.rest;

import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.gateway.GatewayAddress;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The node that runs in a folder of this machine, as it says in {@code node.json} there.
 *
 * @param folder where it keeps its tokens
 * @param gateway where launchers and tuple spaces connect
 * @param console URL for browsers and commands
 */
public record LocalNode(Path folder, GatewayAddress gateway, URI console) {

  /** The folder that {@code GLEANER_HOME} names, else {@code .gleaner} of the user. */
  public static Path home() {
    return Optional.ofNullable(System.getenv("GLEANER_HOME"))
        .filter(text -> !text.isBlank())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".gleaner"));
  }

  /** The node in {@link #home}; empty if none runs there. */
  public static Optional<LocalNode> find() {
    return in(home());
  }

  /** The node in the folder; empty if none wrote its file there or the one that did is gone. */
  public static Optional<LocalNode> in(Path folder) {
    Path file = folder.resolve("node.json");
    try {
      JsonNode node = JsonMapper.shared().readTree(Files.readString(file));
      boolean runs = ProcessHandle.of(node.path("pid").asLong(-1)).isPresent();
      return runs
          ? Optional.of(
              new LocalNode(
                  folder,
                  GatewayAddress.parse(node.path("gateway").asString("")),
                  URI.create(node.path("console").asString(""))))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | JacksonException e) {
      throw new GleanerException(
          Code.FILE, file + " is damaged; delete it and start the node again", e);
    }
  }

  /** The API token of this machine's user. */
  public Secret commandToken() {
    return SecretFile.read(folder.resolve("command-token"));
  }

  /** Whom its console has to be of. */
  public ConsoleTrust trust() {
    return "https".equals(console.getScheme())
        ? ConsoleTrust.parse(SecretFile.read(consoleKeysIn(folder)).reveal())
        : ConsoleTrust.ofPlatform();
  }

  /** Where a node keeps the fingerprints by which its console is believed. */
  public static Path consoleKeysIn(Path folder) {
    return folder.resolve("console-fingerprints");
  }

  /** The token by which one launcher of this machine's user joins, if it is there. */
  public Optional<Secret> joinToken() {
    Path file = folder.resolve("join-token");
    return Files.exists(file) ? Optional.of(SecretFile.read(file)) : Optional.empty();
  }

  /** Where a node keeps the certificate for programs of this machine's user. */
  public static Path applicationIn(Path folder) {
    return folder.resolve("application");
  }

  /** Key and certificate by which programs of this machine's user reach their spaces. */
  public Path application() {
    return applicationIn(folder);
  }
}
