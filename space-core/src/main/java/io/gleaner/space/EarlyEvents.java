package io.gleaner.space;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Events that come before the answer to their registration: kept until the registration is known.
 * Safe for all threads.
 */
final class EarlyEvents {
  private static final int MOST = 10_000;

  private final List<SpaceEvent> kept = new ArrayList<>();
  private int expected;

  /** A registration is asked for. */
  synchronized void expect() {
    expected++;
  }

  /** No answer is awaited any more for one that was asked for. */
  synchronized void expectNoMore() {
    if (--expected == 0) {
      kept.clear();
    }
  }

  /** Tells what has come for a registration, then makes it known; what comes later waits. */
  synchronized void claim(long eventId, Consumer<SpaceEvent> tell, Runnable makeKnown) {
    kept.stream().filter(event -> event.eventId() == eventId).forEach(tell);
    kept.removeIf(event -> event.eventId() == eventId);
    makeKnown.run();
  }

  /** Keeps an event whose registration may be on its way; true if that is known by now. */
  synchronized boolean isClaimed(SpaceEvent event, BooleanSupplier known) {
    if (known.getAsBoolean()) {
      return true;
    }
    if (expected > 0 && kept.size() < MOST) {
      kept.add(event);
    }
    return false;
  }
}
