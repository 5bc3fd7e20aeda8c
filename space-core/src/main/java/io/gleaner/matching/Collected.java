package io.gleaner.matching;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Which collections keep their class: those of the JDK that a program can tell from an {@code
 * ArrayList}, a {@code HashSet} or a {@code HashMap} by their order or by what they offer. All
 * others of the JDK are a list, a set or a map by their content alone, whatever their class.
 */
@SuppressWarnings("JdkObsolete") // programs have such fields
final class Collected {
  private static final Map<String, Supplier<Collection<Object>>> COLLECTIONS =
      Map.of(
          LinkedList.class.getName(), LinkedList::new,
          Vector.class.getName(), Vector::new,
          Stack.class.getName(), Stack::new,
          ArrayDeque.class.getName(), ArrayDeque::new,
          CopyOnWriteArrayList.class.getName(), CopyOnWriteArrayList::new,
          LinkedHashSet.class.getName(), LinkedHashSet::new,
          TreeSet.class.getName(), TreeSet::new);

  private static final Map<String, Supplier<Map<Object, Object>>> MAPS =
      Map.of(
          LinkedHashMap.class.getName(), LinkedHashMap::new,
          TreeMap.class.getName(), TreeMap::new,
          Hashtable.class.getName(), Hashtable::new,
          ConcurrentHashMap.class.getName(), ConcurrentHashMap::new);

  private Collected() {}

  /** The class that the collection keeps; empty if its content says all. */
  static Optional<String> kept(Object collection) {
    String name = collection.getClass().getName();
    return (COLLECTIONS.containsKey(name) || MAPS.containsKey(name))
            && comparator(collection) == null
        ? Optional.of(name)
        : Optional.empty();
  }

  /** Whether a list, a set or a map that keeps no class is as good as this one. */
  static boolean isPlain(Object value) {
    boolean oursToTell =
        value.getClass().getName().startsWith("java.") || !(value instanceof java.io.Serializable);
    return oursToTell
        && (value instanceof List || value instanceof Set || value instanceof Map)
        && !(value instanceof SortedSet
            || value instanceof SortedMap
            || value instanceof EnumSet
            || value instanceof EnumMap
            || value instanceof IdentityHashMap
            || value instanceof Properties);
  }

  private static Comparator<?> comparator(Object collection) {
    return collection instanceof SortedSet<?> set
        ? set.comparator()
        : collection instanceof SortedMap<?, ?> map ? map.comparator() : null;
  }

  /** Whether its members have an order that its class promises. */
  static boolean isOrdered(String name) {
    return !name.equals(Hashtable.class.getName())
        && !name.equals(ConcurrentHashMap.class.getName());
  }

  /** An empty collection of that class. */
  static Collection<Object> collection(String name) {
    return made(COLLECTIONS.get(name), name);
  }

  /** An empty map of that class. */
  static Map<Object, Object> map(String name) {
    return made(MAPS.get(name), name);
  }

  private static <T> T made(Supplier<T> maker, String name) {
    if (maker == null) {
      throw new MalformedValue(name + " is no class of a collection that is kept");
    }
    return maker.get();
  }
}
