package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.InputCodec;
import io.gleaner.storage.Recovery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes cells of what a journal tells; for one thread. */
final class Restoring implements Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Restoring.class);

  private final Map<Integer, Cell> cells;
  private final Map<Integer, Long> lastMillis = new HashMap<>();
  private final List<byte[]> parts = new ArrayList<>();
  private int partsOf = -1;
  private long inputs;

  /**
   * Goes on with copies.
   *
   * @param copies the cells that are there, each after some of its inputs
   */
  Restoring(Map<Integer, Cell> copies) {
    cells = new HashMap<>(copies);
  }

  @Override
  public void image(int cell, long number, byte[] part) {
    if (cell != partsOf) {
      load();
    }
    partsOf = cell;
    parts.add(part);
  }

  @Override
  public void record(int cell, long number, byte[] record) {
    load();
    Cell restored = cells.get(cell);
    for (Input input : InputCodec.decode(record)) {
      try {
        restored.apply(input, Withheld.Silent.OUTBOX);
      } catch (RuntimeException e) {
        // It failed so when it was new, too, and the cell went on.
        LOG.error("cell {} failed again on {}", cell, input.step(), e);
      }
    }
    if (restored.inputs() != number) {
      throw new IllegalStateException(
          "cell " + cell + " had input " + number + " but counts " + restored.inputs());
    }
    inputs++;
  }

  @Override
  public void end(int cell, long millis) {
    lastMillis.put(cell, millis);
  }

  private void load() {
    if (!parts.isEmpty()) {
      cells.put(partsOf, Cell.load(parts.iterator()));
      parts.clear();
    }
  }

  Map<Integer, Cell> cells() {
    load();
    return cells;
  }

  /**
   * How long the cell has stood still since its last input; 0 if a clock was set back since then.
   */
  Duration awayAt(int cell, Instant now) {
    long last = lastMillis.getOrDefault(cell, now.toEpochMilli());
    return Duration.ofMillis(Math.max(0, now.toEpochMilli() - last));
  }

  long inputs() {
    return inputs;
  }
}
