package io.gleaner.ledger;

/** Why money moved. */
enum PostingKind {
  /** Credits are issued to a user. */
  GRANT,
  /** A bag's budget leaves its user for its escrow. */
  ESCROW,
  /** An owner is paid for accepted work. */
  SETTLE,
  /** The pool's share of a settlement. */
  FEE,
  /** What a bag did not spend returns to its user. */
  REFUND
}
