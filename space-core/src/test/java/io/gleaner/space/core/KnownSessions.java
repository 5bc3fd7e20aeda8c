package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sessions that clients have heard of, and until when each certainly lives. */
final class KnownSessions {
  private final SimulatedSpace space;
  private final Map<Long, Session> sessions = new LinkedHashMap<>();

  private static final class Session {
    final long leaseMillis;
    long endsNanos;
    boolean closed;

    Session(long leaseMillis) {
      this.leaseMillis = leaseMillis;
    }

    void renewed(long nanos) {
      endsNanos = Math.max(endsNanos, Deadlines.after(nanos, leaseMillis));
    }

    boolean lives(long nanos) {
      return !closed && nanos < endsNanos;
    }
  }

  KnownSessions(SimulatedSpace space) {
    this.space = space;
  }

  /** A lease was granted at that time or later. */
  void renewed(long session, long nanos, long leaseMillis) {
    sessions.computeIfAbsent(session, s -> new Session(leaseMillis)).renewed(nanos);
  }

  void closed(long session) {
    if (sessions.containsKey(session)) {
      sessions.get(session).closed = true;
    }
  }

  /** The cell goes on elsewhere. */
  void leasesRestarted(int cell) {
    sessions.forEach(
        (number, session) -> {
          if (Routing.homeOf(number, space.cells()) == cell && session.lives(space.nanos())) {
            session.renewed(space.nanos());
          }
        });
  }

  long leaseMillis(long session) {
    return sessions.get(session).leaseMillis;
  }

  List<Long> numbers() {
    return List.copyOf(sessions.keySet());
  }

  boolean lives(long session) {
    return sessions.containsKey(session) && sessions.get(session).lives(space.nanos());
  }
}
