package io.gleaner.maker;

import io.gleaner.lifecycle.Transitions;

/** Life of a contract. Diagram: {@code TRANSITIONS.diagram()}. */
public enum ContractState {
  /** Written, and no task was seen to run under it. */
  OFFERED,
  /** A task runs or ran under it. */
  RUNNING,
  /** It has no slots any more; its last tasks end. */
  DRAINING,
  /** Taken out of the space. */
  CLOSED;

  /** What happens to a contract. */
  public enum Event {
    /** A task was seen to run under it. */
    ATTEMPT_SEEN,
    /** It won again when its quantum was over. */
    WON_AGAIN,
    /** It lost its last slot. */
    RELEASED,
    /** The launcher's offer is gone. */
    OFFER_GONE,
    /** The bag ended: nothing of it can be committed any more. */
    BAG_ENDED,
    /** Nothing runs under it any more. */
    LAST_ATTEMPT_ENDED,
    /** It is not in the space any more. */
    EXPIRED
  }

  public static final Transitions<ContractState, Event> TRANSITIONS =
      Transitions.of(ContractState.class, Event.class)
          .row(OFFERED, Event.ATTEMPT_SEEN, RUNNING)
          .row(OFFERED, Event.WON_AGAIN, OFFERED)
          .row(OFFERED, Event.RELEASED, DRAINING)
          .row(OFFERED, Event.OFFER_GONE, CLOSED)
          .row(OFFERED, Event.BAG_ENDED, CLOSED)
          .row(OFFERED, Event.EXPIRED, CLOSED)
          .row(RUNNING, Event.ATTEMPT_SEEN, RUNNING)
          .row(RUNNING, Event.WON_AGAIN, RUNNING)
          .row(RUNNING, Event.RELEASED, DRAINING)
          .row(RUNNING, Event.OFFER_GONE, DRAINING)
          .row(RUNNING, Event.BAG_ENDED, CLOSED)
          .row(RUNNING, Event.EXPIRED, CLOSED)
          .row(DRAINING, Event.ATTEMPT_SEEN, DRAINING)
          .row(DRAINING, Event.BAG_ENDED, CLOSED)
          .row(DRAINING, Event.LAST_ATTEMPT_ENDED, CLOSED)
          .row(DRAINING, Event.EXPIRED, CLOSED)
          .build();
}
