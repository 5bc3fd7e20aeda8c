package io.gleaner.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Pace;
import io.gleaner.limits.Rate;
import io.gleaner.matching.EncodedEntry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What one member may cost the space, by all its links to this node: how often it asks, and of a
 * device how often the space is asked about commands that are refused, and how many of its offers,
 * states and checkpoints there are. Safe for all threads.
 *
 * <p>Entries are counted as they are written; what has ended since is found when there seem to be
 * too many, by a look into the space.
 */
final class MemberUse {
  /** Looks at once, and how long one more takes. */
  private static final int MOST_LOOKS = 256;

  private static final Duration ONE_MORE_LOOK = Duration.ofMillis(100);

  private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Map<String, Integer> MOST_ENTRIES =
      Map.of("OfferEntry", 1_000, "StatusEntry", 1_000, "CheckpointEntry", 20_000);

  private final Ticker ticker;
  private final Pace pace;
  private final Rate looks;
  private final Rate operations;
  private final Rate repeated;

  @GuardedBy("this")
  private final Map<String, Kind> kinds = new LinkedHashMap<>();

  /** Of one kind there are at most so many; nothing is known before the space was asked. */
  private static final class Kind {
    long most = Integer.MAX_VALUE;
    boolean full;
    long fullSinceNanos;
  }

  /** How many links it has; guarded by the monitor of {@link Links}. */
  int links;

  MemberUse(Pace pace, Ticker ticker) {
    this.pace = pace;
    this.ticker = ticker;
    this.looks = new Rate(MOST_LOOKS, ONE_MORE_LOOK, ticker::nanos);
    this.operations = pace.begin(ticker::nanos);
    this.repeated = pace.begin(ticker::nanos);
  }

  /** Counts one more operation; or the sentence with which it is refused. */
  Optional<String> asks() {
    return asks(operations);
  }

  /** As {@link #asks}, of what may have been done before: new ones leave it its own room. */
  Optional<String> repeats() {
    return asks(repeated);
  }

  private Optional<String> asks(Rate rate) {
    long tooEarly = rate.asks();
    return tooEarly == 0
        ? Optional.empty()
        : Optional.of("this client asks for " + pace.refusal("operations", tooEarly));
  }

  /** Whether the space may be asked about one more command; if not, the sentence that says so. */
  Optional<String> look() {
    return looks.asks() == 0
        ? Optional.empty()
        : Optional.of(
            "this device asked too much that it was refused; it may ask again what has to be looked"
                + " up in "
                + ONE_MORE_LOOK.toMillis()
                + " ms");
  }

  /** The command was not refused. */
  void allowed() {
    looks.givesBack();
  }

  /** Whether it has not asked too much lately. */
  boolean isQuiet() {
    return looks.isUnused() && operations.isUnused() && repeated.isUnused();
  }

  /** How many entries of that kind it may have; empty if they are not counted. */
  static Optional<Integer> mostOf(String kind) {
    return Optional.ofNullable(MOST_ENTRIES.get(kind));
  }

  /** How many entries of each kind that is counted there are among these. */
  static Map<String, Integer> countedOf(List<EncodedEntry> entries) {
    Map<String, Integer> counted = new LinkedHashMap<>();
    for (EncodedEntry entry : entries) {
      String kind = MarketTypes.kindOf(entry.type());
      if (MOST_ENTRIES.containsKey(kind)) {
        counted.merge(kind, 1, Integer::sum);
      }
    }
    return counted;
  }

  /** Counts entries if there is room for them; else the space has to be asked. */
  synchronized boolean writes(String kind, int count) {
    Kind known = kinds.computeIfAbsent(kind, k -> new Kind());
    if (known.most + count > MOST_ENTRIES.get(kind)) {
      return false;
    }
    known.most += count;
    return true;
  }

  /** Whether the space has just said that there are too many. */
  synchronized boolean isFull(String kind) {
    Kind known = kinds.get(kind);
    return known != null && known.full && ticker.nanos() - known.fullSinceNanos < FULL_NANOS;
  }

  /** The space has that many, and more are to come. */
  synchronized void found(String kind, int there, int more) {
    Kind known = kinds.computeIfAbsent(kind, k -> new Kind());
    known.most = there;
    known.full = there + more > MOST_ENTRIES.get(kind);
    known.fullSinceNanos = ticker.nanos();
  }
}
