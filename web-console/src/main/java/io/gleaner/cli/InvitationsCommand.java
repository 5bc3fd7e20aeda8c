package io.gleaner.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Join tokens that nobody has used yet. */
@Command(
    name = "invitations",
    mixinStandardHelpOptions = true,
    description = "Lists invitations that nobody has used yet; cancels one.")
final class InvitationsCommand implements Callable<Integer> {
  private static final String PATH = "/api/v1/invitations";

  @Mixin private NodeAccess node;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    return say(node.connect().get(PATH), json);
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Makes the join tokens void that are for this name and that nobody has used.")
  int cancel(
      @Mixin NodeAccess access,
      @Parameters(paramLabel = "<name>", description = "as 'gleaner invitations' lists it")
          String name,
      @Option(names = "--json", description = "print JSON") boolean asJson) {
    String path = PATH + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/cancel";
    JsonNode ended = access.connect().post(path, Map.of(), Map.of());
    if (asJson) {
      return say(ended, true);
    }
    System.out.println("The invitation of " + name + " is cancelled; its token is void.");
    return ExitCode.OK.value;
  }

  private static int say(JsonNode answer, boolean json) {
    if (json) {
      Terminal.json(System.out, answer);
      return ExitCode.OK.value;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "ROLE", "OWNER", "SINCE", "UNTIL", "TOKEN"));
    for (JsonNode open : answer.path("invitations")) {
      rows.add(
          List.of(
              open.path("name").asString(),
              open.path("role").asString(),
              open.path("owner").asString(),
              open.path("issued").asString(),
              open.path("expires").asString(),
              open.path("token").asString()));
    }
    Terminal.table(System.out, rows);
    return ExitCode.OK.value;
  }
}
