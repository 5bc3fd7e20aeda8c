package io.gleaner.ledger;

import io.gleaner.lifecycle.Transitions;

/** Life of one bag's escrow. Diagram: {@code TRANSITIONS.diagram()}. */
enum EscrowState {
  /** It pays for accepted work. */
  HELD,
  /** The rest went back to the user; it pays nothing any more. */
  REFUNDED;

  /** What happens to an escrow. */
  enum Event {
    SETTLED,
    CLOSED
  }

  static final Transitions<EscrowState, Event> TRANSITIONS =
      Transitions.of(EscrowState.class, Event.class)
          .row(HELD, Event.SETTLED, HELD)
          .row(HELD, Event.CLOSED, REFUNDED)
          .build();
}
