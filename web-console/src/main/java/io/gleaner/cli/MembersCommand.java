package io.gleaner.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Lists who has a certificate of the pool. */
@Command(
    name = "members",
    mixinStandardHelpOptions = true,
    description = "Lists machines and programs with a certificate of the pool, and until when.")
final class MembersCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    Terminal.list(
        System.out,
        node.connect().get("/api/v1/members"),
        json,
        "members",
        List.of("NAME", "ROLE", "OWNER", "SINCE", "UNTIL", "REVOKED"),
        MembersCommand::row);
    return ExitCode.OK.value;
  }

  private static List<String> row(JsonNode member) {
    boolean ended = member.path("revoked").isString();
    return List.of(
        member.path("name").asString(),
        member.path("role").asString(),
        member.path("owner").asString(),
        day(member.path("since").asString()),
        day(member.path("ends").asString()),
        ended
            ? day(member.path("revoked").asString()) + ": " + member.path("reason").asString()
            : "");
  }

  private static String day(String instant) {
    return instant.substring(0, Math.min("2026-01-31".length(), instant.length()));
  }
}
