package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** With what programs call the node. */
@Command(
    name = "tokens",
    mixinStandardHelpOptions = true,
    description = "Lists, issues and revokes API tokens: your own, for operators anybody's.",
    subcommands = {
      TokensCommand.ListTokens.class,
      TokensCommand.Issue.class,
      TokensCommand.Revoke.class,
      HelpCommand.class
    })
final class TokensCommand extends CommandGroup {

  /** How much a token may do, as it is written on the command line. */
  enum ScopeName {
    read,
    submit,
    full
  }

  /** Whose tokens. */
  static final class Whose {
    @Option(names = "--user", paramLabel = "NAME", description = "of that user (default: yours)")
    private String user;

    String path(RestClient api) {
      String name = user == null ? api.get("/api/v1/account").path("user").asString() : user;
      return "/api/v1/users/" + name + "/tokens";
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the tokens that have not ended; the tokens themselves are not known.")
  static final class ListTokens implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Mixin private Whose whose;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
      RestClient api = node.connect();
      Terminal.list(
          System.out,
          api.get(whose.path(api)),
          json,
          "tokens",
          List.of("TOKEN", "SCOPE", "LABEL", "ISSUED", "EXPIRES"),
          token ->
              List.of(
                  token.path("id").asString(),
                  token.path("scope").asString().toLowerCase(Locale.ROOT),
                  token.path("label").asString(),
                  token.path("issued").asString(),
                  token.path("expires").asString()));
      return ExitCode.OK.value;
    }
  }

  @Command(
      name = "issue",
      mixinStandardHelpOptions = true,
      description = "Issues a token into a file that only you can read.")
  static final class Issue implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Mixin private Whose whose;

    @Option(
        names = "--scope",
        required = true,
        paramLabel = "SCOPE",
        description = "read: only reads; submit: bags, as no operator; full: everything")
    private ScopeName scope;

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "90",
        description = "how long it lives, 1 to 366 (default: ${DEFAULT-VALUE})")
    private int days;

    @Option(names = "--label", paramLabel = "TEXT", description = "what you call it")
    private String label = "";

    @Option(names = "--to", required = true, paramLabel = "FILE", description = "file to write")
    private Path file;

    @Override
    public Integer call() {
      RestClient api = node.connect();
      JsonNode issued =
          api.post(
              whose.path(api),
              Map.of("scope", scope.name().toUpperCase(Locale.ROOT), "label", label, "days", days),
              Map.of());
      SecretFile.write(file, Secret.of(issued.path("token").asString()));
      System.out.println("the token is in " + file);
      return ExitCode.OK.value;
    }
  }

  @Command(name = "revoke", mixinStandardHelpOptions = true, description = "Ends a token at once.")
  static final class Revoke implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Parameters(paramLabel = "<token>", description = "as 'tokens list' names it")
    private String id;

    @Override
    public Integer call() {
      JsonNode gone = node.connect().post("/api/v1/tokens/" + id + "/revoke", Map.of(), Map.of());
      System.out.println("the token " + id + " of " + gone.path("user").asString() + " is over");
      return ExitCode.OK.value;
    }
  }
}
