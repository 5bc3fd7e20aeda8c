package io.gleaner.identity;

import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sessions of people who signed in, in memory: a restart signs everybody out. A session ends
 * when it was not used for the idle time, and in any case after the whole time. Safe for all
 * threads; guarded by its monitor.
 */
public final class Sessions {

  /**
   * A session as its holder's browser knows it.
   *
   * @param id the cookie's value
   * @param csrf what every changing request must carry besides the cookie
   * @param version that of the user when it began ({@link Users#version})
   */
  public record Session(Secret id, Secret csrf, User user, long version) {}

  private record Kept(Session session, Instant began, Instant used) {}

  private final InstantSource clock;
  private final Duration idle;
  private final Duration whole;
  private final int most;
  private final int mostOfOne;
  // By the hash of the id, the longest unused first.
  private final LinkedHashMap<String, Kept> byHash = new LinkedHashMap<>(16, 0.75f, true);

  /** Half an hour idle, twelve hours in all, ten thousand sessions, twenty of one user. */
  public Sessions(InstantSource clock) {
    this(clock, Duration.ofMinutes(30), Duration.ofHours(12), 10_000, 20);
  }

  /**
   * Sessions with limits of their own.
   *
   * @param most when there are more, the longest unused of the user who has the most ends
   * @param mostOfOne when a user has more, the longest unused of that user ends
   */
  public Sessions(InstantSource clock, Duration idle, Duration whole, int most, int mostOfOne) {
    if (idle.isNegative()
        || idle.isZero()
        || whole.compareTo(idle) < 0
        || most < 1
        || mostOfOne < 1) {
      throw new IllegalArgumentException(
          "sessions need 0 < idle <= whole and room for one, got "
              + idle
              + ", "
              + whole
              + ", "
              + most
              + ", "
              + mostOfOne);
    }
    this.clock = clock;
    this.idle = idle;
    this.whole = whole;
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /** Begins a session of the user in that version. */
  public synchronized Session begin(User user, long version) {
    Instant now = clock.instant();
    Session session = new Session(Secret.random(), Secret.random(), user, version);
    byHash.values().removeIf(kept -> isOver(kept, now));
    byHash.put(hash(session.id), new Kept(session, now, now));
    Map<String, Integer> countByUser = new HashMap<>();
    byHash.values().forEach(kept -> countByUser.merge(kept.session.user.name(), 1, Integer::sum));
    if (countByUser.get(user.name()) > mostOfOne) {
      endOneOf(user.name());
    } else if (byHash.size() > most) {
      // Whoever signs in again and again ends sessions of their own, not of others.
      endOneOf(Collections.max(countByUser.entrySet(), Map.Entry.comparingByValue()).getKey());
    }
    return session;
  }

  /** Ends the user's longest unused one. */
  private void endOneOf(String userName) {
    for (Iterator<Kept> kept = byHash.values().iterator(); kept.hasNext(); ) {
      if (kept.next().session.user.name().equals(userName)) {
        kept.remove();
        return;
      }
    }
  }

  private boolean isOver(Kept kept, Instant now) {
    return !now.isBefore(kept.used.plus(idle)) || !now.isBefore(kept.began.plus(whole));
  }

  /** The session, which thereby counts as used; empty if it is unknown or over. */
  public synchronized Optional<Session> find(Secret id) {
    String hash = hash(id);
    Kept kept = byHash.get(hash);
    if (kept == null) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    if (isOver(kept, now)) {
      byHash.remove(hash);
      return Optional.empty();
    }
    byHash.put(hash, new Kept(kept.session, kept.began, now));
    return Optional.of(kept.session);
  }

  /** Signs out; nothing happens if the session is unknown. */
  public synchronized void end(Secret id) {
    byHash.remove(hash(id));
  }

  /** Signs out everywhere, after a change of password or role. */
  public synchronized void endAllOf(String userName) {
    byHash.values().removeIf(kept -> kept.session.user.name().equals(userName));
  }

  public synchronized int count() {
    return byHash.size();
  }

  private static String hash(Secret id) {
    return Digests.sha256Hex(id.reveal());
  }

  /** Whether the token that came with a changing request is the session's. */
  public static boolean isCsrfOf(Session session, String presented) {
    return !presented.isEmpty() && session.csrf().equals(Secret.of(presented));
  }
}
