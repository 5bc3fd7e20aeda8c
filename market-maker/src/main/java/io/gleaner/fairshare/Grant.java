package io.gleaner.fairshare;

import io.gleaner.book.Contract;
import io.gleaner.book.Offer;
import io.gleaner.book.WaitingBag;
import java.util.Optional;

/** Slots of one launcher that one bag holds in the share being made; not for sharing. */
final class Grant {
  private final Offer offer;
  private final WaitingBag bag;
  private final Optional<Contract> contract;
  private int slots;

  private Grant(Offer offer, WaitingBag bag, Optional<Contract> contract, int slots) {
    this.offer = offer;
    this.bag = bag;
    this.contract = contract;
    this.slots = slots;
  }

  /** Slots that the bag holds already. */
  static Grant held(Offer offer, WaitingBag bag, Contract contract, int slots) {
    return new Grant(offer, bag, Optional.of(contract), slots);
  }

  /** A slot that the bag is given now. */
  static Grant fresh(Offer offer, WaitingBag bag) {
    return new Grant(offer, bag, Optional.empty(), 1);
  }

  Offer offer() {
    return offer;
  }

  WaitingBag bag() {
    return bag;
  }

  /** The contract under which it is held, or empty if it is new. */
  Optional<Contract> contract() {
    return contract;
  }

  int slots() {
    return slots;
  }

  void grow() {
    slots++;
  }

  void shrink() {
    slots--;
  }
}
