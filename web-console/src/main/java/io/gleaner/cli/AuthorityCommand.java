package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows and changes the pool's certificate authority. */
@Command(
    name = "authority",
    description =
        "Shows the pool's certificate authority, hands its office over, retires old ones.",
    mixinStandardHelpOptions = true,
    subcommands = {
      AuthorityCommand.Show.class,
      AuthorityCommand.Rotate.class,
      AuthorityCommand.Retire.class,
      HelpCommand.class
    })
final class AuthorityCommand extends CommandGroup {
  private static int say(JsonNode answer, boolean json) {
    if (json) {
      Terminal.json(System.out, answer);
      return ExitCode.OK.value;
    }
    String what = "issues   ";
    for (JsonNode fingerprint : answer.path("fingerprints")) {
      System.out.println(what + fingerprint.asString());
      what = "trusted  ";
    }
    return ExitCode.OK.value;
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows the fingerprints of the authorities that are trusted.")
  static final class Show implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
      return say(node.connect().get("/api/v1/authority"), json);
    }
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = "Makes a new authority, which issues from now on; the old one stays trusted.")
  static final class Rotate implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
      RestClient api = node.connect();
      return say(api.post("/api/v1/authority/rotate", Map.of(), Map.of()), json);
    }
  }

  @Command(
      name = "retire",
      mixinStandardHelpOptions = true,
      description = "Trusts an old authority no more.")
  static final class Retire implements Callable<Integer> {
    @Mixin private NodeAccess node;

    @Parameters(paramLabel = "<fingerprint>", description = "as 'gleaner authority show' prints it")
    private String fingerprint;

    @Option(
        names = "--force",
        description = "even if members have certificates of it, who must join again then")
    private boolean force;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
      Map<String, Object> wish = Map.of("fingerprint", fingerprint, "force", force);
      return say(node.connect().post("/api/v1/authority/retire", wish, Map.of()), json);
    }
  }
}
