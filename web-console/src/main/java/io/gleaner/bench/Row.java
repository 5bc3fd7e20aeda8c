package io.gleaner.bench;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one pattern with so many clients did in each peer.
 *
 * @param rates units per second by the name of the peer, in the order of the columns
 */
record Row(String pattern, int clients, String unit, Map<String, Samples> rates) {

  /** The median rate, or NaN if that peer was not measured. */
  double rate(String peer) {
    Samples samples = rates.get(peer);
    return samples == null ? Double.NaN : samples.median();
  }

  /** How many times as fast the peer is as the other. */
  double ratio(String peer, String other) {
    return rate(peer) / rate(other);
  }

  OptionalDouble largestSpread() {
    return rates.values().stream()
        .filter(samples -> samples.values().length > 1)
        .mapToDouble(Samples::spread)
        .max();
  }
}
