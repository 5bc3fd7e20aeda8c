package io.gleaner.gateway;

import io.gleaner.leasing.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Which node a client tries next, and after which pause: its addresses in turn, the one that it had
 * first, with pauses that grow while it is away. Not thread-safe but for {@link #address}.
 */
final class Itinerary {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  private final List<GatewayAddress> addresses;
  private final Ticker ticker;
  private final RandomGenerator random;

  private volatile GatewayAddress address;

  /** Nodes that have refused this client since one has welcomed it. */
  private final Set<GatewayAddress> refusedAt = new HashSet<>();

  private int failures;
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private long awaySinceNanos;

  /**
   * @param addresses at least one
   */
  Itinerary(List<GatewayAddress> addresses, Ticker ticker, RandomGenerator random) {
    this.addresses = List.copyOf(addresses);
    this.address = addresses.get(0);
    this.ticker = ticker;
    this.random = random;
  }

  /** The node that is tried, or was reached. */
  GatewayAddress address() {
    return address;
  }

  void welcomed() {
    failures = 0;
    refusedAt.clear();
    pauseMillis = FIRST_PAUSE_MILLIS;
  }

  /** The connection broke just now. */
  void left() {
    awaySinceNanos = ticker.nanos();
  }

  boolean awayLongerThan(Duration time) {
    return ticker.nanos() - awaySinceNanos > time.toNanos();
  }

  /** The node refused this client; whether all have by now. */
  boolean refusedEverywhere() {
    refusedAt.add(address);
    return refusedAt.containsAll(addresses);
  }

  void turnToNext() {
    address = addresses.get((addresses.indexOf(address) + 1) % addresses.size());
  }

  /** A node could not be reached; whether all have been tried once by now. */
  boolean triedAll() {
    return ++failures >= addresses.size();
  }

  /** How long to wait now; the next pause is longer. */
  long pauseMillis() {
    // Jitter, so that thousands of launchers do not come back in the same instant.
    long jittered = pauseMillis + random.nextLong(pauseMillis / 4 + 1);
    pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
    return jittered;
  }

  /** The pause after a break, before the first try. */
  long firstPauseMillis() {
    return FIRST_PAUSE_MILLIS;
  }
}
