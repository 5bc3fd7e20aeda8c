package io.gleaner.cli;

import io.gleaner.node.Home;
import io.gleaner.node.NodeFile;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options by which a command finds the node and proves who it is. */
final class NodeAccess {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "folder of the node on this machine (default: GLEANER_HOME, else ~/.gleaner)")
  private Path data;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "console of the node (default: the node that runs in the folder)")
  private URI url;

  @Option(
      names = "--api-token-file",
      paramLabel = "FILE",
      description =
          "file with your API token (default: GLEANER_API_TOKEN, else the folder's command-token)")
  private Path tokenFile;

  ApiClient connect() {
    Home home = Home.of(Optional.ofNullable(data));
    try {
      return new ApiClient(console(home), token(home));
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, e.getMessage());
    }
  }

  private URI console(Home home) throws IOException {
    if (url != null) {
      return url;
    }
    return NodeFile.read(home)
        .map(file -> URI.create(file.console()))
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.UNREACHABLE,
                    "no node runs in "
                        + home.folder()
                        + "; start one with 'gleaner up', or name one with --url or --data"));
  }

  private Secret token(Home home) throws IOException {
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
