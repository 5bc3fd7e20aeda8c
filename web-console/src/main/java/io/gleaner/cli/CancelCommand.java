package io.gleaner.cli;

import io.gleaner.ledger.Credits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Cancels a bag and tells what came back. */
@Command(
    name = "cancel",
    mixinStandardHelpOptions = true,
    description = "Cancels a bag: what still runs is refused, what is left of the budget returns.")
final class CancelCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Parameters(paramLabel = "<bag>", description = "id, beginning of the id, or name")
  private String bag;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    JsonNode ended = RemoteBag.find(node.connect(), bag).cancel();
    if (json) {
      Terminal.json(System.out, ended);
    } else {
      System.out.printf(
          "%s is %s: %d of %d tasks were complete, %s of %s credits were spent%n",
          ended.path("id").asString(),
          ended.path("state").asString(),
          ended.path("completed").asInt(),
          ended.path("tasks").asInt(),
          Credits.text(ended.path("spentMicros").asLong()),
          Credits.text(ended.path("budgetMicros").asLong()));
    }
    return ExitCode.OK.value;
  }
}
