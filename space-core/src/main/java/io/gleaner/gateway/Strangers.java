package io.gleaner.gateway;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Connections that were not welcomed yet, oldest first: at most so many, and one more puts the
 * oldest out, so that sockets that say nothing cost little and keep nobody away. Safe for all
 * threads; guarded by its monitor.
 */
final class Strangers {
  private final int most;
  private final Set<ServerConnection> waiting = new LinkedHashSet<>();

  Strangers(int most) {
    this.most = most;
  }

  /** Takes one in; answers the one that has to go for it. */
  synchronized Optional<ServerConnection> arrived(ServerConnection stranger) {
    waiting.add(stranger);
    if (waiting.size() <= most) {
      return Optional.empty();
    }
    Iterator<ServerConnection> oldest = waiting.iterator();
    ServerConnection gone = oldest.next();
    oldest.remove();
    return Optional.of(gone);
  }

  /** It was welcomed or closed. */
  synchronized void left(ServerConnection stranger) {
    waiting.remove(stranger);
  }

  synchronized int count() {
    return waiting.size();
  }
}
