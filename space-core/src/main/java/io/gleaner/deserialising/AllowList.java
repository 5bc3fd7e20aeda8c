package io.gleaner.deserialising;

import java.io.ObjectInputFilter;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What an object may hold that comes from somebody else's machine: values of the JDK, and what the
 * program declared. For one object; not safe for sharing between threads.
 */
public final class AllowList implements ObjectInputFilter {
  /** Deep enough for values, too shallow for nested sets that take for ever to hash. */
  private static final int DEEPEST_COLLECTIONS = 24;

  /** What has no collection in it, such as a chain of objects, costs as much as it is long. */
  private static final int DEEPEST = 200;

  private static final int ARRAY_PER_BYTE = 4;
  private static final int ARRAY_SLACK = 64;

  private final Set<String> names;
  private final long bytes;
  private boolean collections;
  private long deepest;
  private String refusal = "";

  /**
   * A filter.
   *
   * @param names of packages, without those below them, and of classes; of the packages java.lang
   *     and java.util only single classes can be added
   * @param bytes length of the object, which bounds its arrays
   */
  public AllowList(Set<String> names, long bytes) {
    this.names = Set.copyOf(names);
    this.bytes = bytes;
  }

  /** What was refused; empty if nothing was. */
  public String refusal() {
    return refusal;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    Class<?> type = info.serialClass();
    deepest = Math.max(deepest, info.depth());
    collections |=
        type != null
            && (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    int most = collections ? DEEPEST_COLLECTIONS : DEEPEST;
    if (deepest > most) {
      return refuse("it is nested more than " + most + " deep");
    }
    if (info.references() > bytes || info.arrayLength() > bytes * ARRAY_PER_BYTE + ARRAY_SLACK) {
      return refuse("it claims to be longer than it is");
    }
    return type == null || accepts(type) ? Status.ALLOWED : refuse("it holds a " + type.getName());
  }

  private Status refuse(String why) {
    refusal = why;
    return Status.REJECTED;
  }

  private boolean accepts(Class<?> type) {
    Class<?> plain = type;
    while (plain.isArray()) {
      plain = plain.getComponentType();
    }
    String home = plain.getPackageName();
    return plain.isPrimitive()
        || JdkValues.contains(plain)
        || names.contains(plain.getName())
        || (!JdkValues.onlyListed(home) && names.contains(home));
  }
}
