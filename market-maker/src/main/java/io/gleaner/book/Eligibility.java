package io.gleaner.book;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** The first stage of a decision: who may trade with whom at all. Pure. */
public final class Eligibility {
  private Eligibility() {}

  /** What keeps the bag out of every trade, if anything does. */
  public static Optional<Rule> bars(WaitingBag bag, Instant now) {
    if (bag.revoked()) {
      return Optional.of(Rule.PROGRAM_REVOKED);
    }
    return now.isAfter(bag.deadline()) ? Optional.of(Rule.DEADLINE_PASSED) : Optional.empty();
  }

  /** What keeps bags of this class off the launcher, if anything does. */
  public static Optional<Rule> bars(Requirements needs, Offer offer) {
    if (!offer.kinds().contains(needs.kind())) {
      return Optional.of(Rule.NO_SUCH_KIND);
    }
    if (offer.memoryMegabytes() < needs.memoryMegabytes()) {
      return Optional.of(Rule.TOO_LITTLE_MEMORY);
    }
    if (!needs.runOn().isEmpty() && needs.runOn().stream().noneMatch(w -> answers(offer, w))) {
      return Optional.of(Rule.NOT_ALLOWED_THERE);
    }
    if (!offer.signers().isEmpty() && !offer.signers().contains(needs.signer())) {
      return Optional.of(Rule.SIGNER_NOT_TRUSTED);
    }
    if (offer.refused().contains(needs.program())) {
      return Optional.of(Rule.PROGRAM_REFUSED);
    }
    return Optional.empty();
  }

  public static boolean fits(Requirements needs, Offer offer) {
    return bars(needs, offer).isEmpty();
  }

  /** Whether the launcher is what a word such as {@code site:x} asks for. */
  public static boolean answers(Offer offer, String word) {
    return word.equals("site:" + offer.site())
        || word.equals("owner:" + offer.owner())
        || (word.startsWith("label:") && offer.labels().contains(word.substring(6)));
  }

  /** Why no offer fits bags of this class: the rule that the nearest of them fails. */
  public static Optional<Rule> barsAll(Requirements needs, Collection<Offer> offers) {
    Rule nearest = Rule.NO_OFFERS;
    for (Offer offer : offers) {
      Optional<Rule> barred = bars(needs, offer);
      if (barred.isEmpty()) {
        return Optional.empty();
      }
      if (barred.get().compareTo(nearest) > 0) {
        nearest = barred.get();
      }
    }
    return Optional.of(nearest);
  }

  /** How many more tasks of the estimated size this sum pays for at this price. */
  public static int affordable(WaitingBag bag, long freeMicros, long atMicrosPerUnit) {
    long each = bag.costOfTask(atMicrosPerUnit);
    if (each == 0) {
      return Integer.MAX_VALUE;
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, freeMicros) / each);
  }
}
