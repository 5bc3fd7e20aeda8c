package io.gleaner.fairshare;

import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.WaitingBag;
import io.gleaner.mechanism.SlotTypes;
import io.gleaner.mechanism.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Who holds which slots while an equal share is being made; not for sharing between threads. */
final class Shares {
  private static final Comparator<Offer> FASTEST =
      Comparator.comparingLong(Offer::microUnitsPerSecond)
          .reversed()
          .thenComparing(Offer::launcherId);

  /** What is given up first: new before held, then by seniority from the end. */
  private static final Comparator<Grant> DISPENSABLE =
      Comparator.comparing((Grant grant) -> grant.contract().isPresent())
          .thenComparing(
              (a, b) ->
                  a.contract().isPresent() && b.contract().isPresent()
                      ? Standing.SENIORITY.compare(b.contract().get(), a.contract().get())
                      : 0)
          .thenComparing(grant -> grant.offer().launcherId())
          .thenComparing(grant -> grant.bag().jobId());

  private final Map<String, Sharer> sharers = new TreeMap<>();
  private final Map<SlotTypes.Type, TreeSet<Offer>> idle = new HashMap<>();
  private final Map<String, Integer> idleSlots = new HashMap<>();
  private final Map<String, Integer> taken = new TreeMap<>();
  private final SlotTypes types;
  private long wanted;

  private Shares(Book book) {
    types = new SlotTypes(book.bags().stream().map(WaitingBag::requirements).distinct().toList());
  }

  /** The shares as contracts in force leave them. */
  static Shares of(Book book, Standing standing, Instant now) {
    Shares shares = new Shares(book);
    for (Standing.Held held : standing.kept()) {
      Contract contract = held.contract();
      WaitingBag bag = book.bag(contract.jobId()).orElseThrow();
      Offer offer = book.offer(contract.launcherId()).orElseThrow();
      shares.sharer(bag).holds(Grant.held(offer, bag, contract, held.slots()));
    }
    for (WaitingBag bag : book.bags()) {
      if (Eligibility.bars(bag, now).isEmpty() && bag.remainingTasks() > 0) {
        shares.sharer(bag).joins(bag);
        shares.wanted += bag.remainingTasks();
      }
    }
    for (Offer offer : book.offers()) {
      if (standing.freeSlots(offer) > 0) {
        shares.idleSlots.put(offer.launcherId(), standing.freeSlots(offer));
        shares.idle.computeIfAbsent(shares.types.of(offer), t -> new TreeSet<>(FASTEST)).add(offer);
      }
    }
    return shares;
  }

  private Sharer sharer(WaitingBag bag) {
    return sharers.computeIfAbsent(bag.owner(), Sharer::new);
  }

  /** Hands out idle slots one by one, always to the user with the fewest. */
  void giveIdle() {
    PriorityQueue<Sharer> poorest = new PriorityQueue<>(Sharer.POOREST);
    poorest.addAll(sharers.values());
    while (!poorest.isEmpty()) {
      Sharer sharer = poorest.poll();
      if (giveIdle(sharer)) {
        poorest.add(sharer);
      }
    }
  }

  private boolean giveIdle(Sharer sharer) {
    for (WaitingBag bag : sharer.wanting()) {
      Optional<Offer> offer = fastestIdle(bag);
      if (offer.isPresent()) {
        sharer.receives(offer.get(), bag);
        if (idleSlots.merge(offer.get().launcherId(), -1, Integer::sum) == 0) {
          idle.get(types.of(offer.get())).remove(offer.get());
        }
        return true;
      }
    }
    return false;
  }

  private Optional<Offer> fastestIdle(WaitingBag bag) {
    return idle.values().stream()
        .filter(offers -> !offers.isEmpty())
        .map(TreeSet::first)
        .filter(offer -> Eligibility.fits(bag.requirements(), offer))
        .min(FASTEST);
  }

  /** Moves slots from who has at least two more to who wants them, until nobody has reason to. */
  void even() {
    boolean moved = true;
    while (moved) {
      List<Sharer> poorest = sharers.values().stream().sorted(Sharer.POOREST).toList();
      List<Sharer> richest = new ArrayList<>(poorest);
      Collections.reverse(richest);
      moved = poorest.stream().anyMatch(poor -> improve(poor, richest));
    }
  }

  private boolean improve(Sharer poor, List<Sharer> richest) {
    if (poor.wanting().isEmpty()) {
      return false;
    }
    for (Sharer rich : richest) {
      if (rich.held() < poor.held() + 2) {
        return false;
      }
      Optional<Grant> grant =
          rich.grants().stream().filter(g -> poor.wants(g.offer()).isPresent()).min(DISPENSABLE);
      if (grant.isPresent()) {
        move(grant.get(), rich, poor);
        return true;
      }
    }
    return false;
  }

  private void move(Grant grant, Sharer rich, Sharer poor) {
    WaitingBag bag = poor.wants(grant.offer()).orElseThrow();
    rich.loses(grant);
    grant.contract().ifPresent(c -> taken.merge(c.contractId(), 1, Integer::sum));
    poor.receives(grant.offer(), bag);
    giveIdle(rich);
  }

  /** Slots to release, by contract. */
  Map<String, Integer> taken() {
    return taken;
  }

  /** What is new, in a total order. */
  List<Grant> given() {
    return grants()
        .filter(grant -> grant.contract().isEmpty())
        .sorted(
            Comparator.comparing((Grant grant) -> grant.offer().launcherId())
                .thenComparing(grant -> grant.bag().jobId()))
        .toList();
  }

  private Stream<Grant> grants() {
    return sharers.values().stream().flatMap(sharer -> sharer.grants().stream());
  }

  int slotsOf(WaitingBag bag) {
    return sharers.containsKey(bag.owner()) ? sharers.get(bag.owner()).slotsOf(bag) : 0;
  }

  /** Slots that all bags of the user hold. */
  int held(String owner) {
    return sharers.containsKey(owner) ? sharers.get(owner).held() : 0;
  }

  /** Place of each user in the line for the next slot, from 1. */
  Map<String, Integer> ranks() {
    Map<String, Integer> ranks = new HashMap<>();
    sharers.values().stream()
        .sorted(Sharer.POOREST)
        .forEach(sharer -> ranks.put(sharer.name(), ranks.size() + 1));
    return ranks;
  }

  int users() {
    return sharers.size();
  }

  int wanted() {
    return (int) Math.min(Integer.MAX_VALUE, wanted);
  }

  int total() {
    return sharers.values().stream().mapToInt(Sharer::held).sum();
  }
}
