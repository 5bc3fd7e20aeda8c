package io.gleaner.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
    Terminal.list(
        System.out,
        node.connect().get(PATH),
        json,
        "invitations",
        List.of("NAME", "ROLE", "OWNER", "SINCE", "UNTIL", "TOKEN"),
        open -> Terminal.texts(open, "name", "role", "owner", "issued", "expires", "token"));
    return ExitCode.OK.value;
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
      Terminal.json(System.out, ended);
    } else {
      System.out.println("The invitation of " + name + " is cancelled; its token is void.");
    }
    return ExitCode.OK.value;
  }
}
