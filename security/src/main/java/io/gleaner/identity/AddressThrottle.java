package io.gleaner.identity;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down whoever guesses passwords of many names: an address, or an IPv6 network of 64 bits,
 * has so many failures at once and one more every so often (a token bucket). What was right costs
 * nothing. Safe for all threads; guarded by its monitor.
 *
 * <p>At most ten thousand addresses are remembered, the longest unused forgotten first.
 */
final class AddressThrottle {
  static final int AT_ONCE = 50;
  static final Duration ONE_MORE = Duration.ofSeconds(6);

  private static final int MOST_ADDRESSES = 10_000;
  private static final int GROUPS = 8;

  private final InstantSource clock;

  /** When all failures of an address will be forgotten. */
  private final Map<String, Instant> clearByAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > MOST_ADDRESSES;
        }
      };

  AddressThrottle(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Counts the try as a failure until {@link #succeeded} says otherwise.
   *
   * @throws SecurityRefusal if the address must wait; that try is not counted
   */
  synchronized void begin(String address) {
    Instant now = clock.instant();
    Instant clear = later(now, clearByAddress.get(network(address))).plus(ONE_MORE);
    Duration tooEarly = Duration.between(now, clear).minus(ONE_MORE.multipliedBy(AT_ONCE));
    if (tooEarly.compareTo(Duration.ZERO) > 0) {
      throw new SecurityRefusal(
          Code.THROTTLED,
          "too many failed tries from this address; try again in "
              + (tooEarly.toSeconds() + 1)
              + " s");
    }
    clearByAddress.put(network(address), clear);
  }

  /** The try was right: it does not count. */
  synchronized void succeeded(String address) {
    clearByAddress.computeIfPresent(network(address), (a, clear) -> clear.minus(ONE_MORE));
  }

  private static Instant later(Instant now, Instant known) {
    return known == null || known.isBefore(now) ? now : known;
  }

  private static String network(String address) {
    String[] groups = address.split(":", -1);
    return groups.length == GROUPS
        ? String.join(":", Arrays.copyOf(groups, GROUPS / 2)) + "::/64"
        : address;
  }
}
