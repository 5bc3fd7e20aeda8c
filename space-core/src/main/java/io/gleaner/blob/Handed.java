package io.gleaner.blob;

import io.gleaner.limits.Recent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Which digests users were handed lately: the last so many, with the time at which that was written
 * down. Safe for all threads; guarded by its monitor.
 */
final class Handed {
  private static final int MOST = 50_000;

  private record Pair(String user, String digest) {}

  private final Map<Pair, Long> writtenMillis = new Recent<>(MOST);

  /** Takes note, and answers those that were not written down since then. */
  synchronized List<String> note(
      String user, Collection<String> digests, long sinceMillis, long nowMillis) {
    List<String> due = new ArrayList<>();
    for (String digest : digests) {
      Pair pair = new Pair(user, digest);
      Long before = writtenMillis.get(pair);
      if (before == null || before < sinceMillis || before > nowMillis) {
        writtenMillis.put(pair, nowMillis);
        due.add(digest);
      }
    }
    return due;
  }

  synchronized boolean knows(String user, String digest) {
    return writtenMillis.get(new Pair(user, digest)) != null;
  }
}
