package io.gleaner.mechanism;

import io.gleaner.book.Cost;
import io.gleaner.book.Eligibility;
import io.gleaner.book.WaitingBag;
import java.util.Comparator;

/**
 * How many more slots a bag wants at one price per unit.
 *
 * @param micros its price per unit: what it bids, or less where its escrow covers only that
 * @param slots at most its remaining tasks, and what its escrow covers at that price
 * @param moneyShort whether the escrow and not the bid set the price
 */
record Bid(WaitingBag bag, long micros, int slots, boolean moneyShort) {

  /** Price, then time, then id: no two bids are equal. */
  static final Comparator<Bid> ORDER =
      Comparator.comparingLong(Bid::micros)
          .reversed()
          .thenComparing(bid -> bid.bag().submitted())
          .thenComparing(bid -> bid.bag().jobId());

  /** The bid of a bag for what it has not been given yet. */
  static Bid of(WaitingBag bag, int servedSlots, long committedMicros) {
    int wanted = Math.max(0, bag.remainingTasks() - servedSlots);
    long money = Math.max(0, bag.freeMicros() - committedMicros);
    long micros = bag.bidMicrosPerUnit();
    int covered = Eligibility.affordable(bag, money, micros);
    if (covered >= 1 || wanted == 0) {
      return new Bid(bag, micros, Math.min(wanted, covered), false);
    }
    long lower = Cost.microsPerUnit(money, bag.estimateMicroUnits());
    return new Bid(bag, lower, lower > 0 ? 1 : 0, true);
  }
}
