package io.gleaner.space.hosting;

import io.gleaner.space.SpaceEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who hears the events of the sessions that are attached to this member. Safe for all threads. */
final class Hints {
  private static final Logger LOG = LoggerFactory.getLogger(Hints.class);

  private final Map<Long, Consumer<SpaceEvent>> listeners = new ConcurrentHashMap<>();

  void attach(long session, Consumer<SpaceEvent> listener) {
    listeners.put(session, listener);
  }

  void detach(long session) {
    listeners.remove(session);
  }

  /** False if the session is not attached here. */
  boolean hear(long session, SpaceEvent event) {
    Consumer<SpaceEvent> listener = listeners.get(session);
    if (listener == null) {
      return false;
    }
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      LOG.warn("an event of session {} was dropped", session, e);
    }
    return true;
  }
}
