package io.gleaner.book;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A book that a test tells line by line; prices are in credits per unit. */
public final class Tellings {
  /** The moment of every test. */
  public static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

  private static final long CREDIT = 1_000_000;

  private final List<Offer> offers = new ArrayList<>();
  private final List<WaitingBag> bags = new ArrayList<>();
  private final List<Contract> contracts = new ArrayList<>();
  private final List<Long> prices = new ArrayList<>();

  /** A launcher of its own owner. */
  public Tellings offer(String launcher, int slots, long reserve) {
    return offer(launcher, "owner-" + launcher, slots, reserve, 1024, Set.of());
  }

  public Tellings offer(
      String launcher, String owner, int slots, long reserve, int memory, Set<String> labels) {
    offers.add(
        new Offer(
            launcher,
            owner,
            "site-" + owner,
            slots,
            1_000_000,
            memory,
            Set.of("JAVA"),
            labels,
            Set.of(),
            reserve * CREDIT,
            7));
    return this;
  }

  /** A bag of its own user with money for everything. */
  public Tellings bag(String job, int tasks, long bid) {
    return bag(job, "user-" + job, tasks, bid, Long.MAX_VALUE / 4, 256, Set.of());
  }

  public Tellings bag(
      String job,
      String owner,
      int tasks,
      long bid,
      long freeMicros,
      int memory,
      Set<String> runOn) {
    return bag(
        new WaitingBag(
            job,
            owner,
            new Requirements("JAVA", memory, runOn, ""),
            bid * CREDIT,
            Long.MAX_VALUE,
            NOON.minusSeconds(600 - bags.size()),
            Instant.MAX,
            false,
            1_000_000,
            tasks,
            freeMicros,
            9));
  }

  public Tellings bag(WaitingBag bag) {
    bags.add(bag);
    return this;
  }

  /** A contract with tasks running, made {@code secondsAgo} with a quantum of a minute. */
  public Tellings contract(
      String id, String launcher, String job, int slots, long price, int secondsAgo) {
    Instant awarded = NOON.minusSeconds(secondsAgo);
    contracts.add(
        new Contract(
            id, launcher, job, slots, price * CREDIT, awarded, awarded.plusSeconds(60), true));
    return this;
  }

  public Tellings lastPrice(long price) {
    prices.add(price * CREDIT);
    return this;
  }

  public Book book() {
    return new Book(offers, bags, contracts, prices);
  }
}
