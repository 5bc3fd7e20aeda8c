package io.gleaner.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One task to run.
 *
 * @param inputs parameter name to the local copy of the file, inside the child's folder
 * @param checkpoint what an earlier attempt saved, or no element
 */
public record TaskCall(
    int taskIndex,
    int attempt,
    Map<String, String> parameters,
    Map<String, Path> inputs,
    List<byte[]> checkpoint) {

  public TaskCall {
    parameters = Map.copyOf(parameters);
    inputs = Map.copyOf(inputs);
    checkpoint = List.copyOf(checkpoint);
  }

  /** A task without files and without a checkpoint. */
  public static TaskCall of(int taskIndex, Map<String, String> parameters) {
    return new TaskCall(taskIndex, 1, parameters, Map.of(), List.of());
  }
}
