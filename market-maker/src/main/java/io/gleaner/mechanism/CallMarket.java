package io.gleaner.mechanism;

import io.gleaner.book.Action;
import io.gleaner.book.Action.ClassPrice;
import io.gleaner.book.Action.Publish;
import io.gleaner.book.Book;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Plan;
import io.gleaner.book.Reason;
import io.gleaner.book.Requirements;
import io.gleaner.book.Rule;
import io.gleaner.book.Trigger;
import io.gleaner.book.WaitingBag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Uniform-price call market: everybody of a class who trades in a round trades at one price. O(n
 * log n) in offers and bids. Source: docs/mechanisms.md#call-market.
 */
public final class CallMarket implements Mechanism {
  private final CallTerms terms;

  public CallMarket(CallTerms terms) {
    this.terms = terms;
  }

  @Override
  public String name() {
    return "call-market";
  }

  @Override
  public Plan decide(Trigger trigger, Book book, Instant now) {
    Standing standing = Standing.withQuanta(book, now);
    List<ClassBook> classes = classes(book, standing, now);
    Allotment.fill(classes, lots(book, standing));

    Pairing pairing = new Pairing(book, standing);
    classes.forEach(pairing::pair);
    List<Action> actions = new ArrayList<>(standing.releases());
    actions.addAll(pairing.actions());
    actions.addAll(Refusals.of(book, standing, classes, now));
    actions.add(figures(book, standing, classes));
    return new Plan(name(), actions);
  }

  private List<ClassBook> classes(Book book, Standing standing, Instant now) {
    Map<Requirements, List<Bid>> bids = new HashMap<>();
    Map<Requirements, Set<String>> buyers = new HashMap<>();
    for (WaitingBag bag : book.bags()) {
      if (Eligibility.bars(bag, now).isEmpty()) {
        Bid bid =
            Bid.of(bag, standing.servedSlots(bag.jobId()), standing.committedMicros(bag.jobId()));
        bids.computeIfAbsent(bag.requirements(), r -> new ArrayList<>()).add(bid);
        buyers.computeIfAbsent(bag.requirements(), r -> new HashSet<>()).add(bag.owner());
      }
    }
    Sellers sellers = new Sellers(book.offers(), bids.keySet());
    List<ClassBook> classes = new ArrayList<>();
    bids.forEach(
        (requirements, ofClass) -> {
          ofClass.sort(Bid.ORDER);
          int owners = Math.min(buyers.get(requirements).size(), sellers.owners(requirements));
          classes.add(new ClassBook(requirements, ofClass, posted(book, owners)));
        });
    classes.sort(Comparator.comparing(c -> c.bids().get(0), Bid.ORDER));
    return classes;
  }

  private OptionalLong posted(Book book, int owners) {
    boolean thin = owners < terms.thinOwners();
    return thin && terms.thinMarket() == ThinMarket.POSTED
        ? OptionalLong.of(book.lastPrice().orElse(terms.postedMicrosPerUnit()))
        : OptionalLong.empty();
  }

  private static List<Lot> lots(Book book, Standing standing) {
    Map<String, Integer> held = new HashMap<>();
    standing.reoffered().forEach(c -> held.merge(c.launcherId(), c.slots(), Integer::sum));
    List<Lot> lots = new ArrayList<>();
    for (Offer offer : book.offers()) {
      int free = standing.freeSlots(offer);
      int incumbent = Math.min(free, held.getOrDefault(offer.launcherId(), 0));
      if (incumbent > 0) {
        lots.add(new Lot(offer, incumbent, true));
      }
      if (free > incumbent) {
        lots.add(new Lot(offer, free - incumbent, false));
      }
    }
    lots.sort(Lot.ORDER);
    return lots;
  }

  private static Publish figures(Book book, Standing standing, List<ClassBook> classes) {
    List<ClassPrice> prices = new ArrayList<>();
    long wanted = 0;
    int traded = 0;
    for (ClassBook of : classes) {
      traded += of.traded();
      wanted += of.bids().stream().mapToLong(Bid::slots).sum();
      of.price()
          .ifPresent(
              price ->
                  prices.add(
                      new ClassPrice(
                          of.requirements(), price, of.traded(), of.posted().isPresent())));
    }
    int kept = standing.kept().stream().mapToInt(Standing.Held::slots).sum();
    int offered = book.offers().stream().mapToInt(Offer::slots).sum();
    return new Publish(
        prices,
        offered,
        (int) Math.min(Integer.MAX_VALUE, wanted + kept),
        kept + traded,
        Reason.of(Rule.CLEARED, traded));
  }
}
