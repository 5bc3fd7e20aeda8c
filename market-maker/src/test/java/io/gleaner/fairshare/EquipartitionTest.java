package io.gleaner.fairshare;

import static io.gleaner.book.Tellings.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.Refuse;
import io.gleaner.book.Action.Release;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Plan;
import io.gleaner.book.Requirements;
import io.gleaner.book.Rule;
import io.gleaner.book.Tellings;
import io.gleaner.book.Trigger;
import io.gleaner.book.WaitingBag;
import io.gleaner.mechanism.Outcome;
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

@Timeout(120)
class EquipartitionTest {
  private final long seed = Long.getLong("gleaner.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  private static Plan share(Book book) {
    return new Equipartition().decide(new Trigger.Tick(), book, NOON);
  }

  private static Map<String, Integer> awarded(Plan plan) {
    Map<String, Integer> slots = new HashMap<>();
    plan.actions(Award.class).forEach(a -> slots.merge(a.jobId(), a.slots(), Integer::sum));
    return slots;
  }

  @Test
  void usersShareEvenlyHoweverManyBagsTheyHaveAndTheRemainderGoesByAge() {
    Tellings told =
        new Tellings()
            .offer("l1", 7, 0)
            .bag("ann1", "ann", 50, 1, 0, 1, Set.of())
            .bag("ann2", "ann", 50, 1, 0, 1, Set.of())
            .bag("ben1", "ben", 50, 9, 0, 1, Set.of())
            .bag("eve1", "eve", 50, 0, 0, 1, Set.of());
    Plan plan = share(told.book());

    assertThat(awarded(plan))
        .containsEntry("ann1", 3)
        .containsEntry("ben1", 2)
        .containsEntry("eve1", 2);
    assertThat(plan.actions(Award.class)).allSatisfy(a -> assertThat(a.microsPerUnit()).isZero());
    assertThat(plan.actions(Refuse.class))
        .extracting(Refuse::jobId, refuse -> refuse.reason().rule())
        .containsExactly(tuple("ann2", Rule.SHARE_TAKEN));
  }

  @Test
  void whatOneUserDoesNotNeedTheOthersGet() {
    Tellings told =
        new Tellings()
            .offer("l1", 8, 0)
            .bag("small", "ann", 1, 1, 0, 1, Set.of())
            .bag("large", "ben", 50, 1, 0, 1, Set.of());

    assertThat(awarded(share(told.book()))).containsEntry("small", 1).containsEntry("large", 7);
  }

  @Test
  void aUserWhoArrivesGetsTheMostRecentSlotsOfTheOthers() {
    Tellings told =
        new Tellings()
            .offer("l1", 2, 0)
            .offer("l2", 2, 0)
            .bag("old", "ann", 50, 1, 0, 1, Set.of())
            .bag("new", "ben", 50, 1, 0, 1, Set.of())
            .contract("early", "l1", "old", 2, 0, 100)
            .contract("late", "l2", "old", 2, 0, 50);
    Plan plan = share(told.book());

    assertThat(plan.actions(Release.class))
        .extracting(Release::contractId, Release::slots)
        .containsExactly(tuple("late", 2));
    assertThat(awarded(plan)).containsOnly(Map.entry("new", 2));
  }

  @Test
  void aDifferenceOfOneMovesNothing() {
    Tellings told =
        new Tellings()
            .offer("l1", 3, 0)
            .bag("old", "ann", 50, 1, 0, 1, Set.of())
            .bag("new", "ben", 50, 1, 0, 1, Set.of())
            .contract("two", "l1", "old", 2, 0, 100)
            .contract("one", "l1", "new", 1, 0, 100);
    Plan plan = share(told.book());

    assertThat(plan.actions(Release.class)).isEmpty();
    assertThat(plan.actions(Award.class)).isEmpty();
  }

  @Test
  void nobodyEnviesAnotherAndASecondLookMovesNothing() {
    System.out.println("gleaner.seed=" + seed);
    for (int i = 0; i < 1_000; i++) {
      List<Offer> offers = offers();
      List<WaitingBag> bags = bags();
      List<Contract> contracts = contracts();
      Book book = new Book(offers, bags, contracts, List.of());
      Plan plan = share(book);
      Collections.shuffle(offers, random);
      Collections.shuffle(bags, random);
      Collections.shuffle(contracts, random);
      assertThat(share(new Book(offers, bags, contracts, List.of())).actions())
          .as("seed %d", seed)
          .hasSameElementsAs(plan.actions());

      Outcome outcome = Outcome.of(book, plan);
      offers.forEach(o -> assertThat(outcome.ofLauncher(o.launcherId())).isBetween(0, o.slots()));
      bags.forEach(b -> assertThat(outcome.ofBag(b.jobId())).isBetween(0, b.remainingTasks()));
      Book after = new Book(offers, bags, carriedOut(book, plan), List.of());
      envyFree(after);
      Plan second = share(after);
      assertThat(second.actions(Award.class)).as("seed %d", seed).isEmpty();
      assertThat(second.actions(Release.class)).as("seed %d", seed).isEmpty();
    }
  }

  /** Nobody who wants a slot of another's could have it and still hold fewer than he. */
  private void envyFree(Book book) {
    Map<String, Integer> held = new HashMap<>();
    Map<String, Integer> ofBag = new HashMap<>();
    for (Contract contract : book.contracts()) {
      held.merge(owner(book, contract), contract.slots(), Integer::sum);
      ofBag.merge(contract.jobId(), contract.slots(), Integer::sum);
    }
    for (WaitingBag bag : book.bags()) {
      if (bag.remainingTasks() > ofBag.getOrDefault(bag.jobId(), 0)) {
        for (Contract contract : book.contracts()) {
          Offer offer = book.offer(contract.launcherId()).orElseThrow();
          if (Eligibility.fits(bag.requirements(), offer)) {
            assertThat(held.get(owner(book, contract)))
                .as("seed %d", seed)
                .isLessThanOrEqualTo(held.getOrDefault(bag.owner(), 0) + 1);
          }
        }
      }
    }
  }

  private static String owner(Book book, Contract contract) {
    return book.bag(contract.jobId()).orElseThrow().owner();
  }

  private static List<Contract> carriedOut(Book book, Plan plan) {
    Map<String, Integer> released = new HashMap<>();
    plan.actions(Release.class)
        .forEach(r -> released.merge(r.contractId(), r.slots(), Integer::sum));
    List<Contract> after = new ArrayList<>();
    for (Contract c : book.contracts()) {
      int slots = c.slots() - released.getOrDefault(c.contractId(), 0);
      if (slots > 0) {
        after.add(
            new Contract(
                c.contractId(),
                c.launcherId(),
                c.jobId(),
                slots,
                0,
                c.awarded(),
                c.quantumEnds(),
                c.running()));
      }
    }
    int number = 0;
    for (Award a : plan.actions(Award.class)) {
      after.add(
          new Contract(
              "new" + number++,
              a.launcherId(),
              a.jobId(),
              a.slots(),
              0,
              NOON,
              NOON.plusSeconds(60),
              false));
    }
    return after;
  }

  private List<Offer> offers() {
    List<Offer> offers = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      offers.add(
          new Offer(
              "l" + i,
              "o" + i,
              "s",
              1 + random.nextInt(4),
              1 + random.nextInt(3),
              512 << random.nextInt(2),
              Set.of("JAVA"),
              Set.of(),
              Set.of(),
              0,
              i));
    }
    return offers;
  }

  private List<WaitingBag> bags() {
    List<WaitingBag> bags = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      bags.add(
          new WaitingBag(
              "b" + i,
              "u" + random.nextInt(4),
              new Requirements("JAVA", 512 << random.nextInt(2), Set.of(), ""),
              0,
              Long.MAX_VALUE,
              NOON.minusSeconds(random.nextInt(4)),
              Instant.MAX,
              false,
              1,
              random.nextInt(6),
              0,
              i));
    }
    return bags;
  }

  private List<Contract> contracts() {
    List<Contract> contracts = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      Instant awarded = NOON.minusSeconds(random.nextInt(5));
      contracts.add(
          new Contract(
              "c" + i,
              "l" + random.nextInt(6),
              "b" + random.nextInt(7),
              1 + random.nextInt(3),
              0,
              awarded,
              awarded.plusSeconds(60),
              random.nextBoolean()));
    }
    return contracts;
  }
}
