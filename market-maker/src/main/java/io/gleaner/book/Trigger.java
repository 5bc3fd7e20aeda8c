package io.gleaner.book;

/**
 * Why a decision is asked for. Live they are coalesced hints (D7): each says what changed, the book
 * says how.
 */
public sealed interface Trigger {

  /** A bag arrived, or its bid or state changed. */
  record BidArrived() implements Trigger {}

  /** A launcher's offer came, went or changed. */
  record OfferChanged() implements Trigger {}

  /** Time has passed; comes at least every second. */
  record Tick() implements Trigger {}
}
