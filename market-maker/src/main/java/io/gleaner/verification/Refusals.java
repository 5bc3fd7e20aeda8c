package io.gleaner.verification;

import io.gleaner.limits.Rate;
import io.gleaner.limits.Recent;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Counts whose results are refused: what no honest launcher sends. Whoever does it again and again
 * is named, so that its tasks go elsewhere before they are given up. Safe for all threads; guarded
 * by its monitor.
 */
public final class Refusals {
  /** So many at once go unpunished, and one more every so often. */
  static final int UNPUNISHED = 3;

  private static final Duration ONE_MORE = Duration.ofMinutes(5);
  private static final int MOST_LAUNCHERS = 10_000;

  private final LongSupplier nanos;
  private final Consumer<String> tooMany;
  private final Map<String, Rate> byLauncher = new Recent<>(MOST_LAUNCHERS);

  /**
   * @param nanos a clock that never goes back
   * @param tooMany told of a launcher with each refusal that is too many; brief
   */
  public Refusals(LongSupplier nanos, Consumer<String> tooMany) {
    this.nanos = nanos;
    this.tooMany = tooMany;
  }

  /** A result of the launcher was refused. */
  void count(String launcherId) {
    if (isTooMany(launcherId)) {
      tooMany.accept(launcherId);
    }
  }

  private synchronized boolean isTooMany(String launcherId) {
    return byLauncher
            .computeIfAbsent(launcherId, id -> new Rate(UNPUNISHED, ONE_MORE, nanos))
            .asks()
        > 0;
  }
}
