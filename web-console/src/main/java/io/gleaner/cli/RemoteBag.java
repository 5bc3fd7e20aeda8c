package io.gleaner.cli;

import io.gleaner.api.rest.BagEvents;
import io.gleaner.api.rest.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** One bag on a node, found by its id, the beginning of its id, or its name. */
final class RemoteBag {
  private static final long MOST_MILLIS_BETWEEN_SHOWS = 1000;
  private final RestClient api;
  private final String id;

  private RemoteBag(RestClient api, String id) {
    this.api = api;
    this.id = id;
  }

  static RemoteBag ofId(RestClient api, String id) {
    return new RemoteBag(api, id);
  }

  /** Finds it; of several bags with the name the newest counts. */
  static RemoteBag find(RestClient api, String text) {
    if (text.isBlank()) {
      throw new CommandFailure(
          ExitCode.USAGE, "no bag is named; write its id, the beginning of its id, or its name");
    }
    List<String> byPrefix = new ArrayList<>();
    for (JsonNode bag : api.get("/api/v1/bags?limit=500").path("bags")) {
      String id = bag.path("id").asString();
      if (id.equals(text) || bag.path("name").asString().equals(text)) {
        return new RemoteBag(api, id);
      }
      if (id.startsWith(text)) {
        byPrefix.add(id);
      }
    }
    if (byPrefix.size() == 1) {
      return new RemoteBag(api, byPrefix.get(0));
    }
    throw new CommandFailure(
        ExitCode.NOT_FOUND,
        byPrefix.isEmpty()
            ? "there is no bag '" + text + "' among yours; 'gleaner bags' lists them"
            : "'" + text + "' could be any of " + byPrefix + "; write more of the id");
  }

  String id() {
    return id;
  }

  JsonNode summary() {
    return api.get(path());
  }

  JsonNode cancel() {
    return api.post(path() + "/cancel", java.util.Map.of(), java.util.Map.of());
  }

  /** Every task that ended, in the order of the index. */
  List<JsonNode> outcomes() {
    List<JsonNode> all = new ArrayList<>();
    int after = -1;
    while (true) {
      JsonNode page = api.get(path() + "/results?after=" + after + "&limit=500").path("results");
      if (page.isEmpty()) {
        return all;
      }
      page.forEach(all::add);
      after = all.get(all.size() - 1).path("taskIndex").asInt();
    }
  }

  String outputPath(int taskIndex) {
    return path() + "/results/" + taskIndex + "/output";
  }

  /** Shows progress until the bag ends, and answers its last summary. */
  JsonNode await(BagProgress progress, Supplier<String> note) throws InterruptedException {
    BlockingQueue<Optional<JsonNode>> changes = new LinkedBlockingQueue<>();
    try (BagEvents events = new BagEvents(api)) {
      Runnable unused = events.watch(id, changes::add);
      JsonNode bag = summary();
      while (!bag.path("ended").asBoolean()) {
        progress.show(ended(bag), note.get());
        Optional<JsonNode> change = changes.poll(MOST_MILLIS_BETWEEN_SHOWS, TimeUnit.MILLISECONDS);
        if (change != null) {
          bag = change.orElseGet(this::summary);
        }
      }
      progress.show(ended(bag), note.get());
      return bag;
    }
  }

  private static int ended(JsonNode bag) {
    return bag.path("completed").asInt() + bag.path("failed").asInt();
  }

  private String path() {
    return RestClient.bagPath(id);
  }
}
