package io.gleaner.cli;

import io.gleaner.audit.PlainText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Ends a member of the pool. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = {
      "Ends a machine or program: its connections are cut within a minute on every node, its",
      "contracts end, and it never comes back under this name."
    })
final class RevokeCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Parameters(paramLabel = "<member>", description = "its name, as 'gleaner members' lists it")
  private String member;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "why, for the list and the log")
  private String reason;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    String name = URLEncoder.encode(member, StandardCharsets.UTF_8);
    JsonNode answer =
        node.connect()
            .post("/api/v1/members/" + name + "/revoke", Map.of("reason", reason), Map.of());
    if (json) {
      Terminal.json(System.out, answer);
    } else if (answer.path("members").isEmpty()) {
      System.out.println("Nobody had joined as " + member + " yet; its join token is void.");
    } else {
      for (JsonNode ended : answer.path("members")) {
        System.out.printf(
            "%s, a %s of %s, is revoked: %s%n",
            ended.path("name").asString(),
            ended.path("role").asString(),
            ended.path("owner").asString(),
            PlainText.of(ended.path("reason").asString()));
      }
    }
    return ExitCode.OK.value;
  }
}
