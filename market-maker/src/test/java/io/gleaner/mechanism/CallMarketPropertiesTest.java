package io.gleaner.mechanism;

import static io.gleaner.book.Tellings.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.Publish;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Plan;
import io.gleaner.book.Requirements;
import io.gleaner.book.Trigger;
import io.gleaner.book.WaitingBag;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must hold of every book; the seed is printed and can be given as {@code gleaner.seed}. */
@Timeout(120)
class CallMarketPropertiesTest {
  private static final long CREDIT = 1_000_000;
  private static final int BOOKS = 2_000;

  private final long seed = Long.getLong("gleaner.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final CallMarket call = new CallMarket(CallTerms.defaults().with(ThinMarket.CALL));

  private record Told(List<Offer> offers, List<WaitingBag> bags, List<Contract> contracts) {
    Book book() {
      return new Book(offers, bags, contracts, List.of());
    }
  }

  private Told told(boolean oneClass) {
    List<Offer> offers = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      offers.add(
          new Offer(
              "l" + i,
              "o" + random.nextInt(4),
              "s" + random.nextInt(3),
              1 + random.nextInt(3),
              1 + random.nextInt(3),
              oneClass ? 1024 : 512 << random.nextInt(3),
              Set.of("JAVA"),
              random.nextBoolean() ? Set.of("lab") : Set.of(),
              Set.of(),
              random.nextInt(8) * CREDIT,
              i));
    }
    List<WaitingBag> bags = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      bags.add(
          new WaitingBag(
              "b" + i,
              "u" + random.nextInt(4),
              oneClass
                  ? new Requirements("JAVA", 512, Set.of(), "")
                  : new Requirements(
                      "JAVA",
                      512 << random.nextInt(3),
                      random.nextInt(3) == 0 ? Set.of("label:lab", "site:s1") : Set.of(),
                      ""),
              random.nextInt(10) * CREDIT,
              Long.MAX_VALUE,
              NOON.minusSeconds(random.nextInt(3)),
              Instant.MAX,
              false,
              CREDIT,
              random.nextInt(5),
              oneClass ? Long.MAX_VALUE / 4 : random.nextInt(40) * CREDIT,
              i));
    }
    List<Contract> contracts = new ArrayList<>();
    for (int i = oneClass ? 0 : random.nextInt(4); i > 0; i--) {
      Instant awarded = NOON.minusSeconds(random.nextInt(120));
      contracts.add(
          new Contract(
              "c" + i,
              "l" + random.nextInt(7),
              "b" + random.nextInt(7),
              1 + random.nextInt(2),
              random.nextInt(8) * CREDIT,
              awarded,
              awarded.plusSeconds(60),
              random.nextBoolean()));
    }
    return new Told(offers, bags, contracts);
  }

  private Plan decide(Told told) {
    return call.decide(new Trigger.Tick(), told.book(), NOON);
  }

  @Test
  void theOrderInWhichThingsAreToldDoesNotMatter() {
    System.out.println("gleaner.seed=" + seed);
    for (int i = 0; i < BOOKS; i++) {
      Told told = told(false);
      Plan plan = decide(told);
      Collections.shuffle(told.offers(), random);
      Collections.shuffle(told.bags(), random);
      Collections.shuffle(told.contracts(), random);
      Plan again = decide(told);
      assertThat(again.actions()).as("seed %d", seed).hasSameElementsAs(plan.actions());
      assertThat(again.actions(Award.class)).isEqualTo(plan.actions(Award.class));
    }
  }

  @Test
  void nobodySellsBelowReserveOrBuysAboveBidOrWithWhomHeMayNot() {
    System.out.println("gleaner.seed=" + seed);
    for (int i = 0; i < BOOKS; i++) {
      Told told = told(false);
      Book book = told.book();
      for (Award award : decide(told).actions(Award.class)) {
        Offer offer = book.offer(award.launcherId()).orElseThrow();
        WaitingBag bag = book.bag(award.jobId()).orElseThrow();
        assertThat(award.microsPerUnit())
            .as("seed %d", seed)
            .isBetween(offer.reserveMicrosPerUnit(), bag.bidMicrosPerUnit());
        assertThat(Eligibility.fits(bag.requirements(), offer)).isTrue();
      }
    }
  }

  @Test
  void allOfAClassPayThePriceThatIsPublished() {
    System.out.println("gleaner.seed=" + seed);
    for (int i = 0; i < BOOKS; i++) {
      Told told = told(false);
      Plan plan = decide(told);
      Map<Requirements, Long> prices = new HashMap<>();
      plan.actions(Publish.class)
          .get(0)
          .prices()
          .forEach(price -> prices.put(price.requirements(), price.microsPerUnit()));
      for (Award award : plan.actions(Award.class)) {
        Requirements of = told.book().bag(award.jobId()).orElseThrow().requirements();
        assertThat(award.microsPerUnit()).as("seed %d", seed).isEqualTo(prices.get(of));
      }
    }
  }

  @Test
  void noSlotServesTwiceAndNoBagGetsMoreThanItsTasks() {
    System.out.println("gleaner.seed=" + seed);
    for (int i = 0; i < BOOKS; i++) {
      Told told = told(false);
      Outcome after = Outcome.of(told.book(), decide(told));
      for (Offer offer : told.offers()) {
        assertThat(after.ofLauncher(offer.launcherId()))
            .as("seed %d", seed)
            .isBetween(0, offer.slots());
      }
      for (WaitingBag bag : told.bags()) {
        assertThat(after.ofBag(bag.jobId())).as("seed %d", seed).isBetween(0, bag.remainingTasks());
      }
      assertThat(after.elsewhere(told.book())).as("seed %d", seed).isZero();
    }
  }

  @Test
  void asMuchIsTradedAsCanBeAtOnePrice() {
    System.out.println("gleaner.seed=" + seed);
    for (int i = 0; i < BOOKS; i++) {
      Told told = told(true);
      int traded = decide(told).actions(Award.class).stream().mapToInt(Award::slots).sum();
      assertThat(traded).as("seed %d", seed).isEqualTo(mostAtOnePrice(told));
    }
  }

  /** The most that can trade at one price, by trying every price that anybody named. */
  private static int mostAtOnePrice(Told told) {
    List<Long> prices = new ArrayList<>();
    told.offers().forEach(offer -> prices.add(offer.reserveMicrosPerUnit()));
    told.bags().forEach(bag -> prices.add(bag.bidMicrosPerUnit()));
    int most = 0;
    for (long price : prices) {
      int supply =
          told.offers().stream()
              .filter(offer -> offer.reserveMicrosPerUnit() <= price)
              .mapToInt(Offer::slots)
              .sum();
      int demand =
          told.bags().stream()
              .filter(bag -> bag.bidMicrosPerUnit() >= price)
              .mapToInt(WaitingBag::remainingTasks)
              .sum();
      most = Math.max(most, Math.min(supply, demand));
    }
    return most;
  }

  @Test
  void tenThousandOffersMeetAHundredThousandBids() {
    System.out.println("gleaner.seed=" + seed);
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      offers.add(
          new Offer(
              "l" + i,
              "o" + i % 5_000,
              "s" + i % 50,
              1 + i % 4,
              900_000 + random.nextInt(900_000),
              512 << random.nextInt(4),
              Set.of("JAVA"),
              Set.of(),
              Set.of(),
              random.nextInt(1_000) * 1_000L,
              i));
    }
    List<WaitingBag> bags = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      bags.add(
          new WaitingBag(
              "b" + i,
              "u" + i % 5_000,
              new Requirements("JAVA", 512 << i % 4, Set.of(), ""),
              random.nextInt(2_000) * 1_000L,
              Long.MAX_VALUE,
              NOON.minusSeconds(random.nextInt(100_000)),
              Instant.MAX,
              false,
              CREDIT,
              1 + random.nextInt(3),
              1_000 * CREDIT,
              i));
    }
    Book book = new Book(offers, bags, List.of(), List.of());
    Plan plan = call.decide(new Trigger.Tick(), book, NOON);
    for (int i = 0; i < 5; i++) {
      long began = System.nanoTime();
      long beganCpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      plan = call.decide(new Trigger.Tick(), book, NOON);
      System.out.printf(
          "10 000 offers, 100 000 bids: %d awards in %d ms, %d ms of a core%n",
          plan.actions(Award.class).size(),
          (System.nanoTime() - began) / 1_000_000,
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beganCpu) / 1_000_000);
    }
    assertThat(plan.actions(Award.class)).isNotEmpty();
  }
}
