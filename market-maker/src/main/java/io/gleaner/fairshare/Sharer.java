package io.gleaner.fairshare;

import io.gleaner.book.Eligibility;
import io.gleaner.book.Offer;
import io.gleaner.book.Requirements;
import io.gleaner.book.WaitingBag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** One user in a share being made: what his bags hold and what they still want; not for sharing. */
final class Sharer {
  private static final Comparator<WaitingBag> AGE =
      Comparator.comparing(WaitingBag::submitted).thenComparing(WaitingBag::jobId);

  /** Fewest slots first, then who waited longest, then by name: no two users are equal. */
  static final Comparator<Sharer> POOREST =
      Comparator.comparingInt(Sharer::held)
          .thenComparing(sharer -> sharer.since)
          .thenComparing(sharer -> sharer.name);

  private final String name;
  private Instant since = Instant.MAX;
  private final Map<Requirements, TreeSet<WaitingBag>> unmet = new HashMap<>();
  private final Map<String, Integer> slotsOfBag = new HashMap<>();
  private final List<Grant> grants = new ArrayList<>();
  private int held;

  Sharer(String name) {
    this.name = name;
  }

  /** A bag of this user takes part. */
  void joins(WaitingBag bag) {
    if (bag.submitted().isBefore(since)) {
      since = bag.submitted();
    }
    if (bag.remainingTasks() > slotsOf(bag)) {
      unmet.computeIfAbsent(bag.requirements(), r -> new TreeSet<>(AGE)).add(bag);
    }
  }

  /** The bag holds these slots; call before it {@link #joins}. */
  void holds(Grant grant) {
    grants.add(grant);
    count(grant.bag(), grant.slots());
  }

  /** Gives a slot of the launcher to the bag. */
  void receives(Offer offer, WaitingBag bag) {
    Optional<Grant> same =
        grants.stream()
            .filter(g -> g.contract().isEmpty() && g.bag().equals(bag) && g.offer().equals(offer))
            .findFirst();
    same.ifPresentOrElse(Grant::grow, () -> grants.add(Grant.fresh(offer, bag)));
    count(bag, 1);
    if (bag.remainingTasks() == slotsOf(bag)) {
      unmet.get(bag.requirements()).remove(bag);
    }
  }

  /** Takes a slot of the grant away. */
  void loses(Grant grant) {
    grant.shrink();
    if (grant.slots() == 0) {
      grants.remove(grant);
    }
    count(grant.bag(), -1);
    unmet.computeIfAbsent(grant.bag().requirements(), r -> new TreeSet<>(AGE)).add(grant.bag());
  }

  private void count(WaitingBag bag, int slots) {
    held += slots;
    slotsOfBag.merge(bag.jobId(), slots, Integer::sum);
  }

  /** The oldest bag that wants a slot of this launcher. */
  Optional<WaitingBag> wants(Offer offer) {
    return unmet.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty() && Eligibility.fits(entry.getKey(), offer))
        .map(entry -> entry.getValue().first())
        .min(AGE);
  }

  /** The oldest bag of each class that wants a slot, oldest first. */
  List<WaitingBag> wanting() {
    return unmet.values().stream()
        .filter(bags -> !bags.isEmpty())
        .map(TreeSet::first)
        .sorted(AGE)
        .toList();
  }

  int slotsOf(WaitingBag bag) {
    return slotsOfBag.getOrDefault(bag.jobId(), 0);
  }

  List<Grant> grants() {
    return grants;
  }

  int held() {
    return held;
  }

  String name() {
    return name;
  }
}
