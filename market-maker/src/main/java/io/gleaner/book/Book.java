package io.gleaner.book;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * What the market has been told at one moment; immutable, safe for all threads.
 *
 * <p>The same class live and in the lab. It may be wrong about the world: actions carry the
 * versions on which they rely. Iteration follows the order in which things were handed in, and no
 * decision may depend on it.
 */
public final class Book {
  private final Map<String, Offer> offers;
  private final Map<String, WaitingBag> bags;
  private final List<Contract> contracts;
  private final List<Long> prices;

  /**
   * A book.
   *
   * @param offers one per launcher
   * @param bags one per job
   * @param contracts in force; not those that only wait for their last task to end
   * @param prices micro-credits per unit found by earlier calls, oldest first
   * @throws IllegalArgumentException if two offers, bags or contracts have the same id
   */
  public Book(
      Collection<Offer> offers,
      Collection<WaitingBag> bags,
      Collection<Contract> contracts,
      List<Long> prices) {
    this.offers = index(offers, Offer::launcherId);
    this.bags = index(bags, WaitingBag::jobId);
    this.contracts = List.copyOf(contracts);
    this.prices = List.copyOf(prices);
    Set<String> ids = new HashSet<>();
    for (Contract contract : contracts) {
      if (!ids.add(contract.contractId())) {
        throw new IllegalArgumentException("contract " + contract.contractId() + " is there twice");
      }
    }
  }

  private static <V> Map<String, V> index(Collection<V> values, Function<V, String> id) {
    Map<String, V> map = new LinkedHashMap<>(values.size() * 2);
    for (V value : values) {
      if (map.put(id.apply(value), value) != null) {
        throw new IllegalArgumentException(id.apply(value) + " is there twice");
      }
    }
    return Collections.unmodifiableMap(map);
  }

  public Collection<Offer> offers() {
    return offers.values();
  }

  public Collection<WaitingBag> bags() {
    return bags.values();
  }

  public List<Contract> contracts() {
    return contracts;
  }

  public Optional<Offer> offer(String launcherId) {
    return Optional.ofNullable(offers.get(launcherId));
  }

  public Optional<WaitingBag> bag(String jobId) {
    return Optional.ofNullable(bags.get(jobId));
  }

  /** The last price that a call found. */
  public OptionalLong lastPrice() {
    return prices.isEmpty() ? OptionalLong.empty() : OptionalLong.of(prices.get(prices.size() - 1));
  }
}
