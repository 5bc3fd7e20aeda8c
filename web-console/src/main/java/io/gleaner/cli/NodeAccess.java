package io.gleaner.cli;

import io.gleaner.api.rest.ConsoleTrust;
import io.gleaner.api.rest.LocalNode;
import io.gleaner.api.rest.Patience;
import io.gleaner.api.rest.RestClient;
import io.gleaner.node.Home;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options by which a command finds the node and proves who it is. */
final class NodeAccess {
  /**
   * How long a command tries again after the connection broke; a node that is not there is told at
   * once.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "folder of the node on this machine (default: GLEANER_HOME, else ~/.gleaner)")
  private Path data;

  @Option(
      names = "--url",
      converter = OptionValues.ConsoleAddress.class,
      paramLabel = "URL",
      description = "console of the node (default: the node that runs in the folder)")
  private URI url;

  @Option(
      names = "--api-token-file",
      paramLabel = "FILE",
      description =
          "file with your API token (default: GLEANER_API_TOKEN, else the folder's command-token)")
  private Path tokenFile;

  @Option(
      names = "--authority",
      converter = OptionValues.Fingerprints.class,
      paramLabel = "FINGERPRINT",
      description =
          "with --url https://...: of the pool's authority, as 'gleaner up' prints it there (default:"
              + " GLEANER_AUTHORITY, else certificates as browsers trust them)")
  private ConsoleTrust authority;

  /** The folder of the node on this machine. */
  Home home() {
    return Home.of(Optional.ofNullable(data));
  }

  /** Whether a node was named by its address. */
  boolean isNamed() {
    return url != null;
  }

  RestClient connect() {
    Home home = home();
    Patience patience = Patience.usual().withGiveUp(PATIENCE);
    if (url != null) {
      ConsoleTrust trust = authority == null ? ConsoleTrust.ofSurroundings() : authority;
      return new RestClient(url, token(home), patience, trust);
    }
    LocalNode node =
        LocalNode.in(home.folder())
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCode.UNREACHABLE,
                        "no node runs in "
                            + home.folder()
                            + "; start one with 'gleaner up', or name one with --url or --data"));
    ConsoleTrust trust = authority == null ? node.trust() : authority;
    return new RestClient(node.console(), token(home), patience, trust);
  }

  private Secret token(Home home) {
    if (tokenFile != null) {
      return SecretFile.read(tokenFile);
    }
    String fromEnvironment = System.getenv("GLEANER_API_TOKEN");
    if (fromEnvironment != null && !fromEnvironment.isBlank()) {
      return Secret.of(fromEnvironment.strip());
    }
    if (!Files.exists(home.commandToken())) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "no API token: there is no "
              + home.commandToken()
              + "; name a file with --api-token-file or set GLEANER_API_TOKEN");
    }
    return SecretFile.read(home.commandToken());
  }
}
