package io.gleaner.space.conformance;

/** Whose space is tested. */
enum Place {
  /** Ours, in the process that holds it. */
  EMBEDDED,
  /** Ours, over a connection to a gateway. */
  GATEWAY,
  /** River's own, with River's own transaction manager: the peer that shows what a test tests. */
  OUTRIGGER
}
