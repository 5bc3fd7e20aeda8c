package io.gleaner.matching;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds entries of one class by template, oldest first; for one thread.
 *
 * <p>There is one index per set of fields that templates bind. Its key is a 64-bit hash of those
 * fields together, so a template of several fields looks into one list that holds its matches and
 * nothing else but colliding hashes, whose bytes the caller verifies. An index is built when the
 * first template of its kind arrives; above {@link #MAX_INDEXES} kinds, a template uses the
 * smallest list of an index over some of its fields.
 *
 * @param <T> what is found
 */
public final class Postings<T> {
  static final int MAX_INDEXES = 32;

  private final Function<T, EncodedEntry> entryOf;
  private final long seed;
  private final NavigableMap<Long, T> all = new TreeMap<>();
  private final Map<Long, Map<Long, NavigableMap<Long, T>>> byFields = new LinkedHashMap<>();

  public Postings(Function<T, EncodedEntry> entryOf, long seed) {
    this.entryOf = entryOf;
    this.seed = seed;
  }

  /** Adds it under its number; smaller numbers are found first. */
  public void add(Long number, T item) {
    all.put(number, item);
    byFields.forEach((bound, index) -> post(index, bound, number, item));
  }

  public void remove(Long number) {
    T item = all.remove(number);
    if (item != null) {
      byFields.forEach((bound, index) -> unpost(index, bound, number, item));
    }
  }

  public boolean contains(Long number) {
    return all.containsKey(number);
  }

  /** What lies under the number, or null. */
  public T get(Long number) {
    return all.get(number);
  }

  /** In order. */
  public Collection<Long> numbers() {
    return Collections.unmodifiableCollection(all.keySet());
  }

  public int size() {
    return all.size();
  }

  /** What may match the template, by number; the caller verifies the bytes. */
  public NavigableMap<Long, T> candidates(EncodedEntry template) {
    long bound = BoundFields.of(template);
    if (bound == 0 || all.isEmpty()) {
      return all;
    }
    var index = byFields.get(bound);
    if (index == null && byFields.size() >= MAX_INDEXES) {
      return smallestOver(bound, template);
    }
    if (index == null) {
      index = build(bound);
    }
    return list(index, bound, template);
  }

  private Map<Long, NavigableMap<Long, T>> build(long bound) {
    Map<Long, NavigableMap<Long, T>> index = new LinkedHashMap<>();
    all.forEach((number, item) -> post(index, bound, number, item));
    byFields.put(bound, index);
    return index;
  }

  private NavigableMap<Long, T> smallestOver(long bound, EncodedEntry template) {
    NavigableMap<Long, T> smallest = all;
    for (var each : byFields.entrySet()) {
      if ((each.getKey() & ~bound) == 0) {
        var list = list(each.getValue(), each.getKey(), template);
        smallest = list.size() < smallest.size() ? list : smallest;
      }
    }
    return smallest;
  }

  private NavigableMap<Long, T> list(
      Map<Long, NavigableMap<Long, T>> index, long bound, EncodedEntry template) {
    var list = index.get(BoundFields.hash(bound, template, seed));
    return list == null ? Collections.emptyNavigableMap() : list;
  }

  private void post(Map<Long, NavigableMap<Long, T>> index, long bound, Long number, T item) {
    index
        .computeIfAbsent(BoundFields.hash(bound, entryOf.apply(item), seed), h -> new TreeMap<>())
        .put(number, item);
  }

  private void unpost(Map<Long, NavigableMap<Long, T>> index, long bound, Long number, T item) {
    Long hash = BoundFields.hash(bound, entryOf.apply(item), seed);
    var list = index.get(hash);
    list.remove(number);
    if (list.isEmpty()) {
      index.remove(hash);
    }
  }
}
