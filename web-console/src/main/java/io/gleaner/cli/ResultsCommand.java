package io.gleaner.cli;

import io.gleaner.api.rest.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Downloads the results of a bag, and makes one of them by the bag's collector when asked to. */
@Command(
    name = "results",
    mixinStandardHelpOptions = true,
    description = {
      "Downloads the results of a bag: one file per task and results.json with everything else.",
      "Files that are there already are not downloaded again."
    })
final class ResultsCommand implements Callable<Integer> {
  @Mixin private NodeAccess node;

  @Parameters(paramLabel = "<bag>", description = "id, beginning of the id, or name")
  private String bag;

  @Option(names = "--to", required = true, paramLabel = "FOLDER", description = "where to")
  private Path folder;

  @Option(
      names = "--collect",
      paramLabel = "BAG.YAML",
      description = "then run the collector of this bag description, on this machine")
  private Path description;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    RestClient api = node.connect();
    RemoteBag remote = RemoteBag.find(api, bag);
    BagResults results = BagResults.download(api, remote, folder);
    Optional<Path> made =
        description == null
            ? Optional.empty()
            : Optional.of(BagFiles.read(description).collect(results, folder));
    JsonNode summary = remote.summary();
    if (json) {
      Terminal.json(System.out, results.asJson(summary, made));
    } else {
      System.out.printf(
          "%d results in %s (%s, %d of %d tasks ended)%n",
          results.parts().size(),
          folder,
          summary.path("state").asString(),
          summary.path("completed").asInt() + summary.path("failed").asInt(),
          summary.path("tasks").asInt());
      made.ifPresent(file -> System.out.println("collected: " + file.toAbsolutePath()));
      List<String> failures = results.failures();
      failures.stream().limit(5).forEach(failure -> System.out.println("  failed: " + failure));
      if (failures.size() > 5) {
        System.out.println("  and " + (failures.size() - 5) + " more; see results.json");
      }
    }
    return Files.exists(folder) ? ExitCode.OK.value : ExitCode.FAILED.value;
  }
}
