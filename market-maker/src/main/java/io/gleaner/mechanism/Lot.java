package io.gleaner.mechanism;

import io.gleaner.book.Offer;
import java.util.Comparator;

/**
 * Equal slots of one launcher that are on offer in this round.
 *
 * @param incumbent whether a bag holds them that may win them again
 */
record Lot(Offer offer, int slots, boolean incumbent) {

  /**
   * Reserve price, then those that are held already, so that nothing moves for no gain, then id.
   */
  static final Comparator<Lot> ORDER =
      Comparator.comparingLong(Lot::reserve)
          .thenComparing(lot -> !lot.incumbent())
          .thenComparing(lot -> lot.offer().launcherId());

  long reserve() {
    return offer.reserveMicrosPerUnit();
  }

  Lot with(int slots) {
    return new Lot(offer, slots, incumbent);
  }
}
