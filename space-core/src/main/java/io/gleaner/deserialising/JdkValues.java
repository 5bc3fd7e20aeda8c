package io.gleaner.deserialising;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of the JDK that are values, or hold them, and do nothing else when they are read.
 * {@code java.net.URL} is none: a set of them asks the network for their hosts.
 */
final class JdkValues {
  private static final Map<String, Set<String>> LISTED =
      Map.of(
          "java.lang",
          names(
              "Boolean Byte Character Class Double Enum Float Integer Long Number Object Short"
                  + " StackTraceElement String String$CaseInsensitiveComparator StringBuffer"
                  + " StringBuilder"),
          "java.util",
          names(
              "AbstractCollection AbstractList AbstractMap AbstractMap$SimpleEntry"
                  + " AbstractMap$SimpleImmutableEntry AbstractQueue AbstractSequentialList"
                  + " AbstractSet ArrayDeque ArrayList Arrays$ArrayList BitSet Calendar CollSer"
                  + " Collections$CopiesList Collections$EmptyList Collections$EmptyMap"
                  + " Collections$EmptySet Collections$ReverseComparator"
                  + " Collections$ReverseComparator2 Collections$SetFromMap"
                  + " Collections$SingletonList Collections$SingletonMap Collections$SingletonSet"
                  + " Collections$SynchronizedCollection Collections$SynchronizedList"
                  + " Collections$SynchronizedMap Collections$SynchronizedRandomAccessList"
                  + " Collections$SynchronizedSet Collections$UnmodifiableCollection"
                  + " Collections$UnmodifiableList Collections$UnmodifiableMap"
                  + " Collections$UnmodifiableRandomAccessList Collections$UnmodifiableSet"
                  + " Collections$UnmodifiableSortedMap Collections$UnmodifiableSortedSet Currency"
                  + " Date Dictionary EnumMap EnumSet EnumSet$SerializationProxy GregorianCalendar"
                  + " HashMap HashSet Hashtable IdentityHashMap ImmutableCollections$List12"
                  + " ImmutableCollections$ListN ImmutableCollections$Map1"
                  + " ImmutableCollections$MapN ImmutableCollections$Set12"
                  + " ImmutableCollections$SetN JumboEnumSet LinkedHashMap LinkedHashSet LinkedList"
                  + " Locale Map$Entry PriorityQueue Properties Random RegularEnumSet"
                  + " SimpleTimeZone Stack TimeZone TreeMap TreeSet UUID Vector"),
          "java.util.concurrent",
          names(
              "ConcurrentHashMap ConcurrentHashMap$Segment ConcurrentLinkedDeque"
                  + " ConcurrentLinkedQueue ConcurrentSkipListMap ConcurrentSkipListSet"
                  + " CopyOnWriteArrayList CopyOnWriteArraySet"),
          "java.util.concurrent.atomic",
          names("AtomicBoolean AtomicInteger AtomicLong AtomicReference"),
          // What a ConcurrentHashMap writes for readers of twenty years ago.
          "java.util.concurrent.locks",
          names(
              "AbstractOwnableSynchronizer AbstractQueuedSynchronizer ReentrantLock"
                  + " ReentrantLock$NonfairSync ReentrantLock$Sync"),
          "java.net",
          names("Inet4Address Inet6Address InetAddress InetSocketAddress URI"),
          "java.io",
          names("File"),
          "java.sql",
          names("Date Time Timestamp"),
          "sun.util.calendar",
          names("ZoneInfo"),
          "net.jini.entry",
          names("AbstractEntry"));

  private static final Set<String> WHOLE = Set.of("java.math", "java.time", "java.time.chrono");

  /** Packages that also hold much that is no value. */
  private static final Set<String> ONLY_LISTED = Set.of("java.lang", "java.util");

  private static final Set<String> THROWABLES =
      names(
          "java.io java.lang java.lang.reflect java.net java.nio.file java.rmi java.sql java.util"
              + " java.util.concurrent");

  private JdkValues() {}

  static boolean contains(Class<?> type) {
    String home = type.getPackageName();
    return WHOLE.contains(home)
        || LISTED
            .getOrDefault(home, Set.of())
            .contains(type.getName().substring(type.getName().lastIndexOf('.') + 1))
        || (type.isEnum() && home.startsWith("java."))
        || (Throwable.class.isAssignableFrom(type) && THROWABLES.contains(home));
  }

  /** Whether what is not listed of a package cannot be allowed with the package as a whole. */
  static boolean onlyListed(String home) {
    return ONLY_LISTED.contains(home);
  }

  private static Set<String> names(String listed) {
    return Stream.of(listed.split(" ")).collect(Collectors.toUnmodifiableSet());
  }
}
