package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import io.gleaner.ledger.Credits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Submits a bag of tasks. */
@Command(
    name = "submit",
    mixinStandardHelpOptions = true,
    description = {
      "Submits a bag of tasks. The description is checked here first; every error names its line.",
      "Submitting the same description again makes a second bag, unless --key says it is a retry.",
      "Whoever lends the machine on which a task runs can read its inputs."
    })
final class SubmitCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Parameters(paramLabel = "<bag.yaml>", description = "the description, see docs/bag-format.md")
  private Path description;

  @Option(
      names = "--wait",
      description = "show progress until the bag ends; status 0 only if every task completed")
  private boolean wait;

  @Option(
      names = "--key",
      converter = OptionValues.IdempotencyKey.class,
      paramLabel = "TEXT",
      description = "idempotency key: the same key gives the same bag again")
  private String key;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    BagFiles files = BagFiles.read(description);
    RestClient api = node.connect();
    JsonNode bag = files.submit(api, Optional.ofNullable(key));
    RemoteBag remote = RemoteBag.ofId(api, bag.path("id").asString());
    if (!json) {
      System.out.printf(
          "bag %s %s: %d tasks, %s credits in escrow%n",
          remote.id(),
          bag.path("name").asString(),
          bag.path("tasks").asInt(),
          Credits.text(bag.path("budgetMicros").asLong()));
    }
    if (wait) {
      try (BagProgress progress =
          BagProgress.onStandardError(bag.path("name").asString(), bag.path("tasks").asInt())) {
        bag = remote.await(progress, () -> "");
      }
    }
    if (json) {
      Terminal.json(System.out, bag);
    } else if (wait) {
      System.out.printf(
          "%s: %d completed, %d failed, %s credits spent%n",
          bag.path("state").asString(),
          bag.path("completed").asInt(),
          bag.path("failed").asInt(),
          Credits.text(bag.path("spentMicros").asLong()));
    }
    boolean complete = bag.path("completed").asInt() == bag.path("tasks").asInt();
    return !wait || complete ? ExitCode.OK.value : ExitCode.FAILED.value;
  }
}
