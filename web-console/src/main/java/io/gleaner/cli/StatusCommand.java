package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.ledger.Credits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows the market: the last clearing and the launchers. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows the market: the last clearing and every launcher with its reason.")
final class StatusCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() {
    RestClient api = node.connect();
    JsonNode status = api.get("/api/v1/status");
    if (json) {
      Terminal.json(System.out, status);
      return ExitCode.OK.value;
    }
    JsonNode clearing = status.path("market");
    System.out.println("console  " + api.console());
    System.out.println("gateway  " + status.path("node").path("gatewayAddress").asString());
    System.out.printf(
        "market   %s by %s, round %d: %s; %d slots offered, %d wanted, %d under contract%n",
        clearing.path("economy").asString(),
        clearing.path("mechanism").asString(),
        clearing.path("round").asLong(),
        price(clearing.path("microsPerUnit")),
        clearing.path("slotsOffered").asInt(),
        clearing.path("slotsWanted").asInt(),
        clearing.path("slotsTraded").asInt());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LAUNCHER", "OWNER", "STATE", "SLOTS", "DONE", "WHY"));
    for (JsonNode launcher : clearing.path("launchers")) {
      rows.add(
          List.of(
              launcher.path("id").asString(),
              launcher.path("owner").asString(),
              launcher.path("state").asString(),
              launcher.path("slots").asString(),
              launcher.path("completed").asString(),
              launcher.path("reason").asString()));
    }
    if (rows.size() == 1) {
      System.out.println("No launchers yet. Add this machine: gleaner worker --join <gateway>");
    } else {
      Terminal.table(System.out, rows);
    }
    return ExitCode.OK.value;
  }

  private static String price(JsonNode micros) {
    return micros.isIntegralNumber()
        ? Credits.text(micros.asLong()) + " credits per unit"
        : "no price";
  }
}
