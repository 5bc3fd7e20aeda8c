package io.gleaner.examples.eternity;

import io.gleaner.api.Parameters;
import io.gleaner.api.TaskContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One attempt at a small puzzle that remembers what the task told and saved. */
final class Attempt implements TaskContext {
  static final long PUZZLE = 5;
  static final int SIDE = 7;

  final List<Double> told = new ArrayList<>();
  final List<byte[]> saved = new ArrayList<>();
  private final Optional<byte[]> before;

  private Attempt(Optional<byte[]> before) {
    this.before = before;
  }

  static Attempt first() {
    return new Attempt(Optional.empty());
  }

  static Attempt after(byte[] checkpoint) {
    return new Attempt(Optional.of(checkpoint));
  }

  static Parameters seed(long seed) {
    return with(seed, "steps", "60000");
  }

  static Parameters with(long seed, String name, String value) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "puzzle", Long.toString(PUZZLE),
                "side", Integer.toString(SIDE),
                "steps", "60000",
                "rounds", "3",
                "seed", Long.toString(seed)));
    values.put(name, value);
    return Parameters.of(values);
  }

  @Override
  public int taskIndex() {
    return 0;
  }

  @Override
  public int attempt() {
    return before.isPresent() ? 2 : 1;
  }

  @Override
  public Path input(String parameter) {
    throw new IllegalArgumentException("parameter '" + parameter + "' is not a file");
  }

  @Override
  public void progress(double fraction) {
    told.add(fraction);
  }

  @Override
  public void checkpoint(byte[] state) {
    saved.add(state.clone());
  }

  @Override
  public Optional<byte[]> lastCheckpoint() {
    return before;
  }
}
