package io.gleaner.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Prints what is to be kept elsewhere. */
@Command(
    name = "checkpoint",
    mixinStandardHelpOptions = true,
    description = {
      "Signs the ends of ledger and security log and prints the checkpoints. Kept on another",
      "machine, they show later whether anything before was changed: audit verify --checkpoint"
    })
final class AuditCheckpointCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Override
  public Integer call() {
    JsonNode signed = node.connect().get("/api/v1/audit/checkpoints");
    for (JsonNode checkpoint : signed.path("checkpoints")) {
      System.out.print(checkpoint.asString());
    }
    return ExitCode.OK.value;
  }
}
