package io.gleaner.cli;

import io.gleaner.api.Collector.Part;
import io.gleaner.api.Parameters;
import io.gleaner.api.rest.RestClient;
import io.gleaner.audit.PlainText;
import io.gleaner.signing.Digests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The results of a bag as files in a folder. */
record BagResults(List<Part> parts, List<JsonNode> outcomes) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Downloads what the folder does not hold yet. */
  static BagResults download(RestClient api, RemoteBag bag, Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Part> parts = new ArrayList<>();
    List<JsonNode> outcomes = bag.outcomes();
    for (JsonNode outcome : outcomes) {
      String digest = outcome.path("outputDigest").asString("");
      if (digest.isEmpty()) {
        continue;
      }
      int index = outcome.path("taskIndex").asInt();
      Path file = folder.resolve("task-%06d".formatted(index));
      if (!Files.exists(file) || !Digests.sha256Hex(file).equals(digest)) {
        api.download(bag.outputPath(index), file);
      }
      Map<String, String> parameters = new TreeMap<>();
      outcome
          .path("parameters")
          .properties()
          .forEach(p -> parameters.put(p.getKey(), p.getValue().asString()));
      parts.add(new Part(index, Parameters.of(parameters), file));
    }
    Files.writeString(folder.resolve("results.json"), JSON.writeValueAsString(outcomes));
    return new BagResults(parts, outcomes);
  }

  /** One line for each task that failed. */
  List<String> failures() {
    return outcomes.stream()
        .filter(outcome -> outcome.path("outputDigest").asString("").isEmpty())
        .map(
            outcome ->
                "task "
                    + outcome.path("taskIndex").asInt()
                    + ": "
                    + PlainText.of(outcome.path("reason").asString("")))
        .toList();
  }

  /** How many accepted results the launcher made. */
  long countOf(String launcherId) {
    return outcomes.stream()
        .filter(outcome -> outcome.path("launcherId").asString().equals(launcherId))
        .count();
  }

  JsonNode asJson(JsonNode summary, Optional<Path> collected) {
    ObjectNode json = JSON.createObjectNode();
    json.set("bag", summary);
    json.put("results", parts.size());
    json.put("failures", failures().size());
    collected.ifPresent(file -> json.put("collected", file.toAbsolutePath().toString()));
    return json;
  }
}
