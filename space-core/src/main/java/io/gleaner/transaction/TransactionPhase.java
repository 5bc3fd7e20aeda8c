package io.gleaner.transaction;

import io.gleaner.lifecycle.Transitions;

/**
 * Life of a transaction as its coordinator sees it. Diagram: {@code TRANSITIONS.diagram()}. Source:
 * Jini transaction specification, TX.2.
 */
public enum TransactionPhase {
  /** Operations may join it; its lease runs. */
  ACTIVE,
  /** Its participants were asked to prepare; nobody joins any more and no lease ends it. */
  VOTING,
  /** As VOTING, but somebody else decides afterwards. */
  PREPARING,
  /** Everybody is prepared; whoever asked for it decides, however long that takes. */
  PREPARED,
  /** Whoever decides has decided to commit; its participants are told that it is near. */
  COMMITTING,
  /** Decided: everything happened. */
  COMMITTED,
  /** Decided: nothing happened. */
  ABORTED;

  /** What happens to a transaction. */
  public enum Event {
    COMMIT_ASKED,
    PREPARE_ASKED,
    ALL_PREPARED,
    ONE_REFUSED,
    ABORT_ASKED,
    LEASE_ENDED,
    OWNER_LEFT
  }

  public static final Transitions<TransactionPhase, Event> TRANSITIONS =
      Transitions.of(TransactionPhase.class, Event.class)
          .row(ACTIVE, Event.COMMIT_ASKED, VOTING)
          .row(ACTIVE, Event.PREPARE_ASKED, PREPARING)
          .row(ACTIVE, Event.ABORT_ASKED, ABORTED)
          .row(ACTIVE, Event.LEASE_ENDED, ABORTED)
          .row(ACTIVE, Event.OWNER_LEFT, ABORTED)
          .row(VOTING, Event.ALL_PREPARED, COMMITTED)
          .row(VOTING, Event.ONE_REFUSED, ABORTED)
          .row(PREPARING, Event.ALL_PREPARED, PREPARED)
          .row(PREPARING, Event.ONE_REFUSED, ABORTED)
          .row(PREPARING, Event.ABORT_ASKED, ABORTED)
          .row(PREPARING, Event.OWNER_LEFT, ABORTED)
          .row(PREPARED, Event.COMMIT_ASKED, COMMITTING)
          .row(PREPARED, Event.ABORT_ASKED, ABORTED)
          .row(PREPARED, Event.OWNER_LEFT, ABORTED)
          .row(COMMITTING, Event.ALL_PREPARED, COMMITTED)
          .build();
}
