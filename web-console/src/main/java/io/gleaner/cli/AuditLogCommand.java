package io.gleaner.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows the security log. */
@Command(
    name = "log",
    mixinStandardHelpOptions = true,
    description = "Shows the newest lines of the security log; for operators and auditors.")
final class AuditLogCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Option(
      names = "--limit",
      converter = OptionValues.ListLength.class,
      paramLabel = "N",
      defaultValue = "50",
      description = "how many lines at most (default: ${DEFAULT-VALUE})")
  private int limit;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    JsonNode log = node.connect().get("/api/v1/audit/log?limit=" + limit);
    if (json) {
      Terminal.json(System.out, log);
      return ExitCode.OK.value;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LINE", "AT", "DEED", "OUTCOME", "WHO", "FROM", "ON", "DETAIL"));
    for (JsonNode line : log.path("lines")) {
      rows.add(
          List.of(
              line.path("line").asString(),
              line.path("at").asString(),
              line.path("deed").asString(),
              line.path("outcome").asString(),
              line.path("who").asString(),
              line.path("from").asString(),
              line.path("subject").asString(),
              line.path("detail").asString()));
    }
    Terminal.table(System.out, rows);
    return ExitCode.OK.value;
  }
}
