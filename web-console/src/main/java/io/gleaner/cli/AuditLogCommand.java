package io.gleaner.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    Terminal.list(
        System.out,
        node.connect().get("/api/v1/audit/log?limit=" + limit),
        json,
        "lines",
        List.of("LINE", "AT", "DEED", "OUTCOME", "WHO", "FROM", "ON", "DETAIL"),
        line ->
            Terminal.texts(
                line, "line", "at", "deed", "outcome", "who", "from", "subject", "detail"));
    return ExitCode.OK.value;
  }
}
