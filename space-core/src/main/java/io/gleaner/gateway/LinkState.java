package io.gleaner.gateway;

import io.gleaner.lifecycle.Transitions;

/** Life of a client's link, as the client sees it. */
enum LinkState {
  /** The first connection is being made. */
  CONNECTING,
  /** A connection is there. */
  UP,
  /** The connection broke; the client tries to come back. */
  AWAY,
  /** Refused, or away for too long: everything asked has failed. */
  LOST,
  /** Closed by this end. */
  CLOSED;

  /** What happens to a link. */
  enum Event {
    WELCOMED,
    BROKE,
    REFUSED,
    GAVE_UP,
    WAS_CLOSED
  }

  static final Transitions<LinkState, Event> TRANSITIONS =
      Transitions.of(LinkState.class, Event.class)
          .row(CONNECTING, Event.WELCOMED, UP)
          .row(CONNECTING, Event.REFUSED, LOST)
          .row(CONNECTING, Event.GAVE_UP, LOST)
          .row(CONNECTING, Event.WAS_CLOSED, CLOSED)
          .row(UP, Event.BROKE, AWAY)
          .row(UP, Event.REFUSED, LOST)
          .row(UP, Event.WAS_CLOSED, CLOSED)
          .row(AWAY, Event.WELCOMED, UP)
          .row(AWAY, Event.REFUSED, LOST)
          .row(AWAY, Event.GAVE_UP, LOST)
          .row(AWAY, Event.WAS_CLOSED, CLOSED)
          .build();
}
