package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.wording.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Makes a join token. */
@Command(
    name = "invite",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a token by which one machine or program joins the market, once.",
      "The token is printed alone on standard output; nobody can see it again."
    })
final class InviteCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "device",
      converter = OptionValues.MemberRole.class,
      description =
          "device or browser (lend their time), or application (default: ${DEFAULT-VALUE})")
  private String role;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "on whose behalf it acts, and who earns (default: you)")
  private String user;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "what it is called in the market: lower-case letters, digits and hyphens")
  private String name;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      defaultValue = "1h",
      description = "how long the token can be used (default: ${DEFAULT-VALUE})")
  private String expires;

  @Option(
      names = "--again",
      description = "with --name: the member that has it lost its key and brings another")
  private boolean again;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "write the token to a file that only you can read, instead")
  private Path to;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (again && name == null) {
      throw new CommandFailure(ExitCode.USAGE, "--again goes with --name");
    }
    if (to != null && Files.exists(to)) {
      throw new CommandFailure(ExitCode.USAGE, to + " is there already; name another file");
    }
    long seconds =
        Durations.parse(expires)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCode.USAGE,
                        "--expires is '" + expires + "', expected a time such as 30m, 1h or 2d"))
            .toSeconds();
    RestClient api = node.connect();
    Map<String, Object> wish = new HashMap<>(Map.of("role", role, "seconds", seconds));
    wish.put("again", again);
    if (user != null) {
      wish.put("owner", user);
    }
    if (name != null) {
      wish.put("name", name);
    }
    JsonNode made = api.post("/api/v1/members", wish, Map.of());
    if (to != null) {
      SecretFile.write(to, Secret.of(made.path("token").asString()));
    }
    if (json) {
      Terminal.json(System.out, made);
      return ExitCode.OK.value;
    }
    tell(made);
    System.out.println(to == null ? made.path("token").asString() : to.toString());
    return ExitCode.OK.value;
  }

  private void tell(JsonNode made) {
    System.err.printf(
        "For one %s of %s, to be called %s; it can join until %s.%n",
        made.path("role").asString(),
        made.path("owner").asString(),
        made.path("name").asString(),
        made.path("expires").asString());
    System.err.println("authority  " + made.path("authority").asString());
    if (made.path("role").asString().equals("device")) {
      System.err.printf(
          "There: gleaner worker --join %s --token-file <file with the token>%n",
          made.path("gateway").asString());
    }
  }
}
