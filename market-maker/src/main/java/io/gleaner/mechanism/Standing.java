package io.gleaner.mechanism;

import io.gleaner.book.Action.Release;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Reason;
import io.gleaner.book.Rule;
import io.gleaner.book.WaitingBag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Contracts in force, sorted out before anybody trades: which must end, which go on, which are
 * offered again.
 *
 * <p>Where there are more slots under contract than tasks, money or slots offered, those where
 * nothing runs yet go first, then the most recent ones.
 */
public final class Standing {

  /** Contracts that run come before those that do not, older before newer. */
  public static final Comparator<Contract> SENIORITY =
      Comparator.comparing((Contract contract) -> !contract.running())
          .thenComparing(Contract::awarded)
          .thenComparing(Contract::contractId);

  /** Slots of a contract that go on. */
  public record Held(Contract contract, int slots) {}

  private final List<Held> kept = new ArrayList<>();
  private final List<Contract> reoffered = new ArrayList<>();
  private final List<Release> releases = new ArrayList<>();
  private final Map<String, Integer> usedSlots = new HashMap<>();
  private final Map<String, Integer> servedSlots = new HashMap<>();
  private final Map<String, Long> committed = new HashMap<>();

  private Standing() {}

  /** Sorts the book's contracts; those whose quantum is over are offered again. */
  public static Standing withQuanta(Book book, Instant now) {
    return of(book, now, contract -> !now.isBefore(contract.quantumEnds()));
  }

  /** Sorts the book's contracts; those that {@code over} names are offered again. */
  public static Standing of(Book book, Instant now, Predicate<Contract> over) {
    Standing standing = new Standing();
    book.contracts().stream().sorted(SENIORITY).forEach(c -> standing.sort(book, now, over, c));
    return standing;
  }

  private void sort(Book book, Instant now, Predicate<Contract> over, Contract contract) {
    Optional<WaitingBag> bag = book.bag(contract.jobId());
    Optional<Offer> offer = book.offer(contract.launcherId());
    if (bag.isEmpty()) {
      release(contract, contract.slots(), Rule.BAG_ENDED);
    } else if (offer.isEmpty()) {
      release(contract, contract.slots(), Rule.OFFER_GONE);
    } else {
      Optional<Rule> barred =
          Eligibility.bars(bag.get(), now)
              .or(() -> Eligibility.bars(bag.get().requirements(), offer.get()));
      if (barred.isPresent()) {
        release(contract, contract.slots(), barred.get());
      } else if (over.test(contract)) {
        reoffered.add(contract);
      } else {
        keep(contract, bag.get(), offer.get());
      }
    }
  }

  private void keep(Contract contract, WaitingBag bag, Offer offer) {
    int tasks = bag.remainingTasks() - servedSlots(bag.jobId());
    int slots = offer.slots() - usedSlots(offer.launcherId());
    int money =
        Eligibility.affordable(
            bag, bag.freeMicros() - committedMicros(bag.jobId()), contract.microsPerUnit());
    int goOn = Math.min(Math.min(contract.slots(), tasks), Math.min(slots, money));
    if (goOn < contract.slots()) {
      Rule rule =
          goOn == tasks ? Rule.FEWER_TASKS : goOn == slots ? Rule.FEWER_SLOTS : Rule.MONEY_SHORT;
      release(contract, contract.slots() - goOn, rule);
    }
    if (goOn > 0) {
      kept.add(new Held(contract, goOn));
      usedSlots.merge(contract.launcherId(), goOn, Integer::sum);
      servedSlots.merge(contract.jobId(), goOn, Integer::sum);
      committed.merge(contract.jobId(), goOn * bag.costOfTask(contract.microsPerUnit()), Long::sum);
    }
  }

  private void release(Contract contract, int slots, Rule rule) {
    releases.add(new Release(contract.contractId(), slots, Reason.of(rule, slots)));
  }

  /** Slots that go on as they are. */
  public List<Held> kept() {
    return kept;
  }

  /** Contracts whose slots are on offer again, by seniority. */
  public List<Contract> reoffered() {
    return reoffered;
  }

  /** What must end whoever wins. */
  public List<Release> releases() {
    return releases;
  }

  /** Slots of the launcher that are on offer. */
  public int freeSlots(Offer offer) {
    return offer.slots() - usedSlots(offer.launcherId());
  }

  /** Slots that go on serving the bag. */
  public int servedSlots(String jobId) {
    return servedSlots.getOrDefault(jobId, 0);
  }

  /** What one task in each of those slots is expected to cost. */
  public long committedMicros(String jobId) {
    return committed.getOrDefault(jobId, 0L);
  }

  private int usedSlots(String launcherId) {
    return usedSlots.getOrDefault(launcherId, 0);
  }
}
