package io.gleaner.space.hosting;

import io.gleaner.space.core.Cell;
import java.time.Duration;

/**
 * A cell as it was when it was last kept.
 *
 * @param away how long it has stood still since its last input, by the time of day
 */
public record Restored(Cell cell, Duration away) {}
