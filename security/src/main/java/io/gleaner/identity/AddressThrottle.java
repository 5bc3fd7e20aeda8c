package io.gleaner.identity;

import io.gleaner.limits.Rate;
import io.gleaner.limits.Recent;
import io.gleaner.secrets.SecurityRefusal;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Slows down whoever guesses passwords of many names: an address, or an IPv6 network of 64 bits,
 * has so many failures at once and one more every so often. What was right costs nothing. Safe for
 * all threads; guarded by its monitor.
 *
 * <p>At most ten thousand addresses are remembered, the longest unused forgotten first.
 */
final class AddressThrottle {
  static final int AT_ONCE = 50;
  static final Duration ONE_MORE = Duration.ofSeconds(6);

  private static final int MOST_ADDRESSES = 10_000;

  private final LongSupplier nanos;

  private final Map<String, Rate> byAddress = new Recent<>(MOST_ADDRESSES);

  /**
   * Nobody is remembered yet.
   *
   * @param nanos a clock that never goes back
   */
  AddressThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Counts the try as a failure until {@link #succeeded} says otherwise.
   *
   * @throws SecurityRefusal if the address must wait; that try is not counted
   */
  synchronized void begin(String address) {
    long tooEarly =
        byAddress
            .computeIfAbsent(AddressNetwork.of(address), a -> new Rate(AT_ONCE, ONE_MORE, nanos))
            .asks();
    if (tooEarly > 0) {
      throw SecurityRefusal.throttled(
          "too many failed tries from this address", Duration.ofNanos(tooEarly));
    }
  }

  /** The try was right: it does not count. */
  synchronized void succeeded(String address) {
    Rate known = byAddress.get(AddressNetwork.of(address));
    if (known != null) {
      known.givesBack();
    }
  }
}
