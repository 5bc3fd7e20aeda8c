package io.gleaner.space;

/**
 * What a request says of the receipt for a take that had to wait for its entries: whoever waited
 * may sleep by now, and must not swallow them.
 */
public enum Receipt {
  /** None is needed: what is answered is taken. */
  NONE,
  /**
   * The client will acknowledge; until then the entries are reserved, and go back if it does not.
   */
  AWAITED,
  /** The client has the entries: they are taken, if they have not gone back. */
  GIVEN
}
