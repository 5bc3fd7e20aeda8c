package io.gleaner.mechanism;

import io.gleaner.book.Action;
import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.Precondition;
import io.gleaner.book.Action.Prolong;
import io.gleaner.book.Action.Release;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Offer;
import io.gleaner.book.Reason;
import io.gleaner.book.Rule;
import io.gleaner.book.WaitingBag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which winner gets which of the slots that its class won: a bag keeps the slots that it holds, the
 * rest goes by rank to the fastest.
 */
final class Pairing {
  private final Book book;
  private final Standing standing;
  private final Map<Contract, Action> fates = new LinkedHashMap<>();
  private final List<Action> awards = new ArrayList<>();

  Pairing(Book book, Standing standing) {
    this.book = book;
    this.standing = standing;
    for (Contract contract : standing.reoffered()) {
      Reason reason = Reason.of(Rule.QUANTUM_OVER, contract.slots());
      fates.put(contract, new Release(contract.contractId(), contract.slots(), reason));
    }
  }

  /** Pairs the winners of one class; call once per class, highest first. */
  void pair(ClassBook of) {
    if (of.traded() == 0) {
      return;
    }
    long price = of.price().orElseThrow();
    Map<String, Integer> sold = new HashMap<>();
    of.sold().forEach(lot -> sold.merge(lot.offer().launcherId(), lot.slots(), Integer::sum));
    Map<String, Winner> winners = new LinkedHashMap<>();
    for (int place = 0; place < of.bids().size(); place++) {
      if (of.won(place) > 0) {
        Bid bid = of.bids().get(place);
        winners.put(bid.bag().jobId(), new Winner(bid, place + 1, of, price, of.won(place)));
      }
    }
    keepHolders(sold, winners, price);
    placeRest(sold, winners);
  }

  /** What ends, then what goes on, then what begins. */
  List<Action> actions() {
    List<Action> actions = new ArrayList<>();
    fates.values().stream().filter(Release.class::isInstance).forEach(actions::add);
    fates.values().stream().filter(Prolong.class::isInstance).forEach(actions::add);
    actions.addAll(awards);
    return actions;
  }

  private void keepHolders(Map<String, Integer> sold, Map<String, Winner> winners, long price) {
    for (Contract contract : standing.reoffered()) {
      Winner winner = winners.get(contract.jobId());
      int slots =
          winner == null
              ? 0
              : Math.min(
                  Math.min(contract.slots(), winner.left),
                  sold.getOrDefault(contract.launcherId(), 0));
      if (slots > 0) {
        sold.merge(contract.launcherId(), -slots, Integer::sum);
        if (slots == contract.slots() && price == contract.microsPerUnit()) {
          winner.left -= slots;
          winner.given += slots;
          fates.put(
              contract, new Prolong(contract.contractId(), winner.reason(Rule.WON_AGAIN, slots)));
        } else {
          winner.award(book.offer(contract.launcherId()).orElseThrow(), slots);
        }
      }
    }
  }

  private void placeRest(Map<String, Integer> sold, Map<String, Winner> winners) {
    Deque<Offer> fastest = new ArrayDeque<>();
    sold.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(entry -> book.offer(entry.getKey()).orElseThrow())
        .sorted(
            Comparator.comparingLong(Offer::microUnitsPerSecond)
                .reversed()
                .thenComparing(Offer::launcherId))
        .forEach(fastest::add);
    for (Winner winner : winners.values()) {
      while (winner.left > 0) {
        Offer offer = fastest.element();
        int slots = Math.min(winner.left, sold.get(offer.launcherId()));
        winner.award(offer, slots);
        if (sold.merge(offer.launcherId(), -slots, Integer::sum) == 0) {
          fastest.remove();
        }
      }
    }
  }

  /** A bid that won, and what it has been given of it. */
  private final class Winner {
    private final Bid bid;
    private final int rank;
    private final ClassBook of;
    private final long price;
    private int left;
    private int given;

    Winner(Bid bid, int rank, ClassBook of, long price, int won) {
      this.bid = bid;
      this.rank = rank;
      this.of = of;
      this.price = price;
      this.left = won;
    }

    Reason reason(Rule rule, int slots) {
      return new Reason(rule, rank, of.bids().size(), bid.micros(), price, slots);
    }

    void award(Offer offer, int slots) {
      left -= slots;
      given += slots;
      WaitingBag bag = bid.bag();
      long money =
          standing.committedMicros(bag.jobId())
              + Math.min(bag.freeMicros(), given * bag.costOfTask(price));
      awards.add(
          new Award(
              offer.launcherId(),
              bag.jobId(),
              slots,
              price,
              new Precondition(offer.version(), bag.version(), Math.min(money, bag.freeMicros())),
              reason(Rule.WON, slots)));
    }
  }
}
