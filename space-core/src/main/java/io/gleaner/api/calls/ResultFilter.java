package io.gleaner.api.calls;

import java.io.ObjectInputFilter;
import java.util.Map;
import java.util.Set;

/**
 * What a result may hold that comes from somebody else's machine: values of the JDK, and classes of
 * the packages that the program declared. For one result; not safe for sharing between threads.
 */
final class ResultFilter implements ObjectInputFilter {
  /** Deep enough for values, too shallow for nested sets that take for ever to hash. */
  private static final int DEEPEST = 24;

  private static final int ARRAY_PER_BYTE = 4;
  private static final int ARRAY_SLACK = 64;

  private static final Set<String> JAVA_LANG =
      Set.of(
          "Boolean",
          "Byte",
          "Character",
          "Double",
          "Enum",
          "Float",
          "Integer",
          "Long",
          "Number",
          "Object",
          "Short",
          "String");

  private static final Set<String> JAVA_UTIL =
      Set.of(
          "AbstractCollection",
          "AbstractList",
          "AbstractMap",
          "AbstractMap$SimpleEntry",
          "AbstractMap$SimpleImmutableEntry",
          "AbstractSet",
          "ArrayDeque",
          "ArrayList",
          "Arrays$ArrayList",
          "BitSet",
          "CollSer",
          "Collections$EmptyList",
          "Collections$EmptyMap",
          "Collections$EmptySet",
          "Collections$SingletonList",
          "Collections$SingletonMap",
          "Collections$SingletonSet",
          "Collections$UnmodifiableCollection",
          "Collections$UnmodifiableList",
          "Collections$UnmodifiableMap",
          "Collections$UnmodifiableRandomAccessList",
          "Collections$UnmodifiableSet",
          "Date",
          "HashMap",
          "HashSet",
          "ImmutableCollections$List12",
          "ImmutableCollections$ListN",
          "ImmutableCollections$Map1",
          "ImmutableCollections$MapN",
          "ImmutableCollections$Set12",
          "ImmutableCollections$SetN",
          "LinkedHashMap",
          "LinkedHashSet",
          "LinkedList",
          "Map$Entry",
          "TreeMap",
          "TreeSet",
          "UUID");

  private static final Map<String, Set<String>> LISTED =
      Map.of("java.lang", JAVA_LANG, "java.util", JAVA_UTIL);
  private static final Set<String> WHOLE = Set.of("java.math", "java.time");

  private final Set<String> packages;
  private final long bytes;
  private String refusal = "";

  /**
   * A filter.
   *
   * @param packages names of packages, without those below them
   * @param bytes length of the result, which bounds its arrays
   */
  ResultFilter(Set<String> packages, long bytes) {
    this.packages = packages;
    this.bytes = bytes;
  }

  /** What was refused; empty if nothing was. */
  String refusal() {
    return refusal;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.depth() > DEEPEST) {
      return refuse("it is nested more than " + DEEPEST + " deep");
    }
    if (info.references() > bytes || info.arrayLength() > bytes * ARRAY_PER_BYTE + ARRAY_SLACK) {
      return refuse("it claims to be longer than it is");
    }
    return info.serialClass() == null || accepts(info.serialClass())
        ? Status.ALLOWED
        : refuse("it holds a " + info.serialClass().getName());
  }

  private Status refuse(String why) {
    refusal = why;
    return Status.REJECTED;
  }

  /** Whether a result may hold instances of the class. */
  boolean accepts(Class<?> type) {
    Class<?> plain = type;
    while (plain.isArray()) {
      plain = plain.getComponentType();
    }
    String home = plain.getPackageName();
    if (plain.isPrimitive() || WHOLE.contains(home)) {
      return true;
    }
    Set<String> listed = LISTED.get(home);
    return listed == null
        ? packages.contains(home)
        : listed.contains(plain.getName().substring(home.length() + 1));
  }
}
