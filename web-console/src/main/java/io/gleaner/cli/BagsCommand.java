package io.gleaner.cli;

import io.gleaner.ledger.Credits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Lists the caller's bags, newest first. */
@Command(
    name = "bags",
    mixinStandardHelpOptions = true,
    description = "Lists your bags, newest first.")
final class BagsCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Option(
      names = "--limit",
      paramLabel = "NUMBER",
      converter = OptionValues.ListLength.class,
      defaultValue = "50",
      description = "at most so many (default: ${DEFAULT-VALUE})")
  private int limit;

  @Override
  public Integer call() {
    JsonNode answer = node.connect().get("/api/v1/bags?limit=" + limit);
    if (json) {
      Terminal.json(System.out, answer);
      return ExitCode.OK.value;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("BAG", "NAME", "STATE", "DONE", "FAILED", "SPENT", "NOTE"));
    for (JsonNode bag : answer.path("bags")) {
      rows.add(
          List.of(
              bag.path("id").asString(),
              bag.path("name").asString(),
              bag.path("state").asString(),
              bag.path("completed").asInt() + "/" + bag.path("tasks").asInt(),
              bag.path("failed").asString(),
              Credits.text(bag.path("spentMicros").asLong())
                  + " of "
                  + Credits.text(bag.path("budgetMicros").asLong()),
              bag.path("note").asString("")));
    }
    if (rows.size() == 1) {
      System.out.println("No bags yet. Submit one: gleaner submit examples/mandelbrot/bag.yaml");
    } else {
      Terminal.table(System.out, rows);
    }
    return ExitCode.OK.value;
  }
}
