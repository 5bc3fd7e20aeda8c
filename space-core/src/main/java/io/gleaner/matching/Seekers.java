package io.gleaner.matching;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/**
 * Finds who seeks an entry by the entry, first come first; for one thread. The reverse of {@link
 * Postings}: there is one index per set of fields that templates bind, so who seeks other values is
 * not looked at.
 *
 * @param <T> who seeks
 */
public final class Seekers<T> {
  private final long seed;
  private final Map<Long, Map<Long, NavigableMap<Long, T>>> byFields = new LinkedHashMap<>();

  public Seekers(long seed) {
    this.seed = seed;
  }

  /** Adds who seeks what matches the template; smaller places are found first. */
  public void add(EncodedEntry template, Long place, T seeker) {
    long bound = BoundFields.of(template);
    byFields
        .computeIfAbsent(bound, b -> new LinkedHashMap<>())
        .computeIfAbsent(BoundFields.hash(bound, template, seed), h -> new TreeMap<>())
        .put(place, seeker);
  }

  /** Removes who was added with the template. */
  public void remove(EncodedEntry template, Long place) {
    long bound = BoundFields.of(template);
    long hash = BoundFields.hash(bound, template, seed);
    var index = byFields.get(bound);
    var list = index == null ? null : index.get(hash);
    if (list != null && list.remove(place) != null && list.isEmpty()) {
      index.remove(hash);
      if (index.isEmpty()) {
        byFields.remove(bound);
      }
    }
  }

  /**
   * Those who may seek the entry, each once, by their places; the caller verifies the bytes.
   * Seekers may be removed meanwhile.
   */
  public Iterator<T> of(EncodedEntry entry) {
    List<NavigableMap<Long, T>> lists = new ArrayList<>(byFields.size());
    byFields.forEach(
        (bound, index) -> {
          var list = index.get(BoundFields.hash(bound, entry, seed));
          if (list != null) {
            lists.add(list);
          }
        });
    return new Merged<>(lists);
  }

  /** Goes through several lists as if they were one. */
  private static final class Merged<T> implements Iterator<T> {
    private final List<NavigableMap<Long, T>> lists;
    private Long place = Long.MIN_VALUE;

    Merged(List<NavigableMap<Long, T>> lists) {
      this.lists = lists;
    }

    private Map.Entry<Long, T> following() {
      Map.Entry<Long, T> first = null;
      for (var list : lists) {
        var each = list.higherEntry(place);
        if (each != null && (first == null || each.getKey() < first.getKey())) {
          first = each;
        }
      }
      return first;
    }

    @Override
    public boolean hasNext() {
      return following() != null;
    }

    @Override
    public T next() {
      var next = following();
      if (next == null) {
        throw new NoSuchElementException();
      }
      place = next.getKey();
      return next.getValue();
    }
  }
}
