package io.gleaner.fairshare;

import io.gleaner.book.Action;
import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.Precondition;
import io.gleaner.book.Action.Publish;
import io.gleaner.book.Action.Refuse;
import io.gleaner.book.Action.Release;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Plan;
import io.gleaner.book.Reason;
import io.gleaner.book.Requirements;
import io.gleaner.book.Rule;
import io.gleaner.book.Trigger;
import io.gleaner.book.WaitingBag;
import io.gleaner.mechanism.Mechanism;
import io.gleaner.mechanism.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Equal shares of all slots, without prices: each user who waits gets as many as any other, then
 * each of his bags by age. A slot moves only where that makes two users more equal, so nothing
 * swings. Source: docs/mechanisms.md#equipartition (Equi-All of KOALA, Sonmez 2010, 4.2.3).
 */
public final class Equipartition implements Mechanism {

  @Override
  public String name() {
    return "equipartition";
  }

  @Override
  public Plan decide(Trigger trigger, Book book, Instant now) {
    Standing standing =
        Standing.of(book, now, c -> c.microsPerUnit() != 0 && !now.isBefore(c.quantumEnds()));
    Shares shares = Shares.of(book, standing, now);
    shares.giveIdle();
    shares.even();

    List<Action> actions = new ArrayList<>(standing.releases());
    for (Contract contract : standing.reoffered()) {
      Reason reason = Reason.of(Rule.QUANTUM_OVER, contract.slots());
      actions.add(new Release(contract.contractId(), contract.slots(), reason));
    }
    shares
        .taken()
        .forEach(
            (contractId, slots) ->
                actions.add(new Release(contractId, slots, Reason.of(Rule.SHARE_EVENED, slots))));
    shares.given().forEach(grant -> actions.add(award(grant)));
    actions.addAll(refusals(book, shares, now));
    actions.add(figures(book, shares));
    return new Plan(name(), actions);
  }

  private static Award award(Grant grant) {
    WaitingBag bag = grant.bag();
    return new Award(
        grant.offer().launcherId(),
        bag.jobId(),
        grant.slots(),
        0,
        new Precondition(grant.offer().version(), bag.version(), 0),
        Reason.of(Rule.SHARE, grant.slots()));
  }

  private static List<Refuse> refusals(Book book, Shares shares, Instant now) {
    Map<String, Integer> ranks = shares.ranks();
    Map<Requirements, Optional<Rule>> misfits = new HashMap<>();
    List<Refuse> refusals = new ArrayList<>();
    for (WaitingBag bag : book.bags()) {
      if (bag.remainingTasks() > 0 && shares.slotsOf(bag) == 0) {
        Rule rule =
            Eligibility.bars(bag, now)
                .or(
                    () ->
                        misfits.computeIfAbsent(
                            bag.requirements(), r -> Eligibility.barsAll(r, book.offers())))
                .orElse(Rule.SHARE_TAKEN);
        Reason reason =
            new Reason(
                rule,
                ranks.getOrDefault(bag.owner(), 0),
                shares.users(),
                0,
                0,
                shares.held(bag.owner()));
        refusals.add(new Refuse(bag.jobId(), reason));
      }
    }
    return refusals;
  }

  private static Publish figures(Book book, Shares shares) {
    return new Publish(
        List.of(),
        book.offers().stream().mapToInt(Offer::slots).sum(),
        shares.wanted(),
        shares.total(),
        Reason.of(Rule.CLEARED, shares.total()));
  }
}
