package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.RestClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What one task of a bag came to: its output, or why it failed. Immutable; safe for all threads.
 */
public final class TaskResult {
  private final RestClient rest;
  private final String bagId;
  private final JsonNode outcome;
  private final Optional<byte[]> inline;

  TaskResult(RestClient rest, String bagId, JsonNode outcome, Optional<byte[]> inline) {
    this.rest = rest;
    this.bagId = bagId;
    this.outcome = outcome;
    this.inline = inline;
  }

  /** Position of the task in its bag, from 0. */
  public int taskIndex() {
    return outcome.path("taskIndex").asInt();
  }

  /** The task's point of the sweep. */
  public Parameters parameters() {
    Map<String, String> values = new TreeMap<>();
    outcome
        .path("parameters")
        .properties()
        .forEach(value -> values.put(value.getKey(), value.getValue().asString()));
    return Parameters.of(values);
  }

  /** Whether it has an output. */
  public boolean completed() {
    return !digest().isEmpty();
  }

  /** Why it failed for good; empty if it did not. */
  public String reason() {
    return outcome.path("reason").asString("");
  }

  /** The end of what a failed task printed. */
  public String logTail() {
    return outcome.path("logTail").asString("");
  }

  /** Who ran it. */
  public String launcherId() {
    return outcome.path("launcherId").asString("");
  }

  /** What was paid for it, in micro-credits. */
  public long paidMicros() {
    return outcome.path("paidMicros").asLong();
  }

  /** Its metered work in millionths of a unit. */
  public long meteredMicroUnits() {
    return outcome.path("meteredMicroUnits").asLong();
  }

  /** How long it ran. */
  public Duration elapsed() {
    return Duration.ofMillis(outcome.path("elapsedMillis").asLong());
  }

  /** When its result was accepted, or it was given up. */
  public Instant ended() {
    return Instant.parse(outcome.path("ended").asString());
  }

  /** Length of the output in bytes. */
  public long outputBytes() {
    return outcome.path("outputBytes").asLong();
  }

  /**
   * The output; a long one is downloaded by each call.
   *
   * @throws GleanerException TASK_FAILED with the reason if there is none
   */
  public byte[] output() {
    requireCompleted();
    return inline.map(byte[]::clone).orElseGet(() -> rest.download(outputPath(), digest()));
  }

  /**
   * Writes the output into a file, which appears when it is whole.
   *
   * @throws GleanerException TASK_FAILED with the reason if there is none
   */
  public void saveTo(Path file) {
    requireCompleted();
    rest.download(outputPath(), file);
  }

  private void requireCompleted() {
    if (!completed()) {
      throw new GleanerException(
          Code.TASK_FAILED, "task " + taskIndex() + " of bag " + bagId + " failed: " + reason());
    }
  }

  private String outputPath() {
    return RestClient.bagPath(bagId) + "/results/" + taskIndex() + "/output";
  }

  private String digest() {
    return outcome.path("outputDigest").asString("");
  }

  @Override
  public String toString() {
    return "task %d of %s: %s".formatted(taskIndex(), bagId, completed() ? "completed" : reason());
  }
}
