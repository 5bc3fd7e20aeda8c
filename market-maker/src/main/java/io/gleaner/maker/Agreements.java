package io.gleaner.maker;

import io.gleaner.verification.Contracts;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Agreements in force and those that ended a while ago: a result may be committed under the last
 * breath of its contract. Safe for all threads.
 */
final class Agreements implements Contracts {
  private static final Duration KEPT = Duration.ofMinutes(15);

  private record Seen(Terms terms, long nanos) {}

  private final Map<String, Seen> seen = new ConcurrentHashMap<>();

  void put(Terms terms, long nanos) {
    seen.put(terms.contractId(), new Seen(terms, nanos));
  }

  /** The contract is still in force. */
  void touch(String contractId, long nanos) {
    seen.computeIfPresent(contractId, (id, before) -> new Seen(before.terms(), nanos));
  }

  @Override
  public Optional<Terms> find(String contractId) {
    return Optional.ofNullable(seen.get(contractId)).map(Seen::terms);
  }

  /** Drops what ended long ago. */
  void forget(long nanos) {
    seen.values().removeIf(old -> nanos - old.nanos() > KEPT.toNanos());
  }
}
