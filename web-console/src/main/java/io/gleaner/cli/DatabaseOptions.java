package io.gleaner.cli;

import io.gleaner.secrets.SecretFile;
import io.gleaner.storage.ServerSettings;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that name a database of a PostgreSQL server. */
final class DatabaseOptions {
  @Option(
      names = "--database",
      paramLabel = "URL",
      converter = OptionValues.DatabaseUrl.class,
      description = {
        "jdbc:postgresql://host/name: money, bags, the space and blobs are in a database of a",
        "PostgreSQL server instead of in the folder; 'up' ends a node that uses it already"
      })
  private String url;

  @Option(names = "--database-user", paramLabel = "NAME", description = "with --database")
  private String user;

  @Option(
      names = "--database-password-file",
      paramLabel = "FILE",
      description = "with --database: holds the password, if the server asks for one")
  private Path password;

  Optional<ServerSettings> settings() {
    if (url == null) {
      if (user != null || password != null) {
        throw new CommandFailure(
            ExitCode.USAGE, "--database-user and --database-password-file go with --database");
      }
      return Optional.empty();
    }
    if (user == null) {
      throw new CommandFailure(
          ExitCode.USAGE, "--database needs --database-user <name>, as which the node signs in");
    }
    Optional<String> secret =
        Optional.ofNullable(password).map(file -> SecretFile.read(file).reveal());
    return Optional.of(ServerSettings.of(url, user, secret));
  }
}
