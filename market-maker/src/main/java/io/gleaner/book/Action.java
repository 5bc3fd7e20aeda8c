package io.gleaner.book;

import java.util.List;
import java.util.OptionalLong;

/** One thing that a plan asks its driver to do. */
public sealed interface Action {

  /** Why, in numbers. */
  Reason reason();

  /**
   * What must still be so when the action is carried out.
   *
   * @param slotVersion version of the offer
   * @param bagVersion version of the bag
   * @param freeMicros least that must be left in the bag's escrow
   */
  record Precondition(long slotVersion, long bagVersion, long freeMicros) {}

  /** A new contract. */
  record Award(
      String launcherId,
      String jobId,
      int slots,
      long microsPerUnit,
      Precondition precondition,
      Reason reason)
      implements Action {}

  /** The contract begins another quantum as it is. */
  record Prolong(String contractId, Reason reason) implements Action {}

  /**
   * The contract loses this many slots: what runs there ends at the next task boundary and nothing
   * more is pulled.
   */
  record Release(String contractId, int slots, Reason reason) implements Action {}

  /** The bag has no slot, and this is why. */
  record Refuse(String jobId, Reason reason) implements Action {}

  /**
   * What the round found.
   *
   * @param prices one per class that traded
   * @param slotsWanted slots that the bags asked for, those under contract too
   * @param slotsTraded slots under contract after the round
   */
  record Publish(
      List<ClassPrice> prices, int slotsOffered, int slotsWanted, int slotsTraded, Reason reason)
      implements Action {
    public Publish {
      prices = List.copyOf(prices);
    }

    /** The price of the class with the most trade, or empty if nobody traded for money. */
    public OptionalLong microsPerUnit() {
      return prices.stream()
          .reduce((a, b) -> b.slots() > a.slots() ? b : a)
          .map(price -> OptionalLong.of(price.microsPerUnit()))
          .orElse(OptionalLong.empty());
    }
  }

  /**
   * The price that everybody in a class who traded in this round pays.
   *
   * @param posted whether it was posted because the class is thin, and not found by a call
   */
  record ClassPrice(Requirements requirements, long microsPerUnit, int slots, boolean posted) {}
}
