package io.gleaner.mechanism;

import io.gleaner.book.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The book of one class of eligibility: its bids from the highest, and the slots that it wins.
 *
 * <p>Lots must come in ascending order of reserve; not for sharing between threads.
 */
final class ClassBook {
  private final Requirements requirements;
  private final List<Bid> bids;
  private final int acceptable;
  private final OptionalLong posted;
  private final List<Lot> sold = new ArrayList<>();
  private final int[] won;
  private int marginal;
  private int traded;
  private long lastBid;
  private long lastAsk;
  private long nextAsk = UniformPrice.NO_ASK;

  /**
   * A book.
   *
   * @param bids in the order of {@link Bid#ORDER}
   * @param posted the posted price, or empty if this class is called
   */
  ClassBook(Requirements requirements, List<Bid> bids, OptionalLong posted) {
    this.requirements = requirements;
    this.bids = bids;
    this.posted = posted;
    this.won = new int[bids.size()];
    int accepting = bids.size();
    if (posted.isPresent()) {
      accepting = 0;
      while (accepting < bids.size() && bids.get(accepting).micros() >= posted.getAsLong()) {
        accepting++;
      }
    }
    this.acceptable = accepting;
    skipSatisfied();
  }

  /** The highest bid that has not won yet, or {@link UniformPrice#NO_BID}. */
  long marginalBid() {
    return marginal < acceptable ? bids.get(marginal).micros() : UniformPrice.NO_BID;
  }

  /** Whether the marginal bid, and the posted price if there is one, reach the reserve. */
  boolean reaches(long reserve) {
    return marginalBid() >= reserve && (posted.isEmpty() || posted.getAsLong() >= reserve);
  }

  /** Gives the lot to the marginal bid; answers how many of its slots that bid wanted. */
  int sell(Lot lot) {
    int slots = Math.min(lot.slots(), bids.get(marginal).slots() - won[marginal]);
    sold.add(lot.with(slots));
    won[marginal] += slots;
    traded += slots;
    lastBid = bids.get(marginal).micros();
    lastAsk = lot.reserve();
    skipSatisfied();
    return slots;
  }

  /** Notes a slot that fits and that nobody bought. */
  void leaves(long reserve) {
    nextAsk = Math.min(nextAsk, reserve);
  }

  private void skipSatisfied() {
    while (marginal < acceptable && won[marginal] == bids.get(marginal).slots()) {
      marginal++;
    }
  }

  /** What everybody in this class who traded pays; empty if nobody did. */
  OptionalLong price() {
    if (traded == 0) {
      return OptionalLong.empty();
    }
    return posted.isPresent()
        ? posted
        : OptionalLong.of(UniformPrice.of(lastBid, lastAsk, marginalBid(), nextAsk));
  }

  Requirements requirements() {
    return requirements;
  }

  List<Bid> bids() {
    return bids;
  }

  /** Slots that the bid at this place won. */
  int won(int place) {
    return won[place];
  }

  List<Lot> sold() {
    return sold;
  }

  int traded() {
    return traded;
  }

  OptionalLong posted() {
    return posted;
  }

  /** The lowest reserve of a slot that fits and that nobody bought, or empty. */
  OptionalLong nextAsk() {
    return nextAsk == UniformPrice.NO_ASK ? OptionalLong.empty() : OptionalLong.of(nextAsk);
  }
}
