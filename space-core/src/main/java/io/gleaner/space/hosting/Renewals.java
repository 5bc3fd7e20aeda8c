package io.gleaner.space.hosting;

import io.gleaner.leasing.Ticker;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Keeps the sessions alive that this member holds for its clients. All sessions of one cell are
 * renewed together, so that thousands of them cost a cell one input three times in a lease. Safe
 * for all threads.
 */
final class Renewals {
  private static final int SESSIONS_AT_ONCE = 4_096;

  private final int cells;
  private final Ticker ticker;
  private final Map<Integer, Held> byHome = new ConcurrentHashMap<>();

  private record Lease(long millis, long tenure) {}

  /** The sessions of one cell with their leases; the time is for the thread that sweeps. */
  private static final class Held {
    final Map<Long, Lease> leases = new ConcurrentHashMap<>();
    volatile long renewedNanos;

    Held(long nowNanos) {
      renewedNanos = nowNanos;
    }

    long periodNanos() {
      long least = Long.MAX_VALUE;
      for (Lease lease : leases.values()) {
        least = Math.min(least, lease.millis());
      }
      return TimeUnit.MILLISECONDS.toNanos(least / 3); // as long as there is, if it is endless
    }
  }

  Renewals(int cells, Ticker ticker) {
    this.cells = cells;
    this.ticker = ticker;
  }

  /** A session has a lease of that length from now on, or had one from a moment ago. */
  void hold(long session, long leaseMillis, long tenure) {
    byHome
        .computeIfAbsent(Routing.homeOf(session, cells), home -> new Held(ticker.nanos()))
        .leases
        .merge(
            session,
            new Lease(leaseMillis, tenure),
            (known, now) -> known.tenure() > now.tenure() ? known : now);
  }

  /** False if it is held by a later tenure. */
  boolean drop(long session, long tenure) {
    Held held = byHome.get(Routing.homeOf(session, cells));
    return held == null
        || held.leases.computeIfPresent(
                session, (s, lease) -> lease.tenure() > tenure ? lease : null)
            == null;
  }

  /** Renews what has not been renewed for a third of a lease. */
  void sweep(BiConsumer<Integer, Message> send) {
    long now = ticker.nanos();
    byHome.forEach(
        (home, held) -> {
          if (!held.leases.isEmpty() && now - held.renewedNanos >= held.periodNanos()) {
            held.renewedNanos = now;
            renew(home, List.copyOf(held.leases.keySet()), send);
          }
        });
  }

  private static void renew(int home, List<Long> sessions, BiConsumer<Integer, Message> send) {
    for (int from = 0; from < sessions.size(); from += SESSIONS_AT_ONCE) {
      int to = Math.min(sessions.size(), from + SESSIONS_AT_ONCE);
      send.accept(home, new Message.Renew(new ArrayList<>(sessions.subList(from, to))));
    }
  }
}
