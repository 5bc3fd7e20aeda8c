package io.gleaner.maker;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Numbers what the market is told: the same content keeps its number, other content gets the next.
 * Used by the market-maker's thread only.
 */
final class Versions {
  private record Numbered(Object content, long number) {}

  private final Map<String, Numbered> told = new HashMap<>();
  private long last;

  /** The number of this content under this name; content must have value equality. */
  long of(String name, Object content) {
    Numbered before = told.get(name);
    if (before != null && before.content().equals(content)) {
      return before.number();
    }
    told.put(name, new Numbered(content, ++last));
    return last;
  }

  /** Forgets what was not told of again; a name that comes back gets a new number. */
  void retain(Set<String> names) {
    told.keySet().retainAll(names);
  }
}
