package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.SpaceEvent;
import java.util.Optional;

/**
 * Numbers the events of one registration; for one thread. Numbers grow by one, so a consumer sees
 * from a gap that a hint was lost. Source: Jini event specification, EV.2.3.
 */
final class EventNumbers {
  private final long eventId;
  private long last;

  EventNumbers(long eventId) {
    this.eventId = eventId;
  }

  /** The number of the last event, 0 before the first. */
  long last() {
    return last;
  }

  void continueAfter(long number) {
    last = number;
  }

  SpaceEvent next(Optional<EncodedEntry> entry, boolean becameVisible) {
    return new SpaceEvent(eventId, ++last, entry, becameVisible);
  }
}
