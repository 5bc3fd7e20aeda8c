package io.gleaner.jini;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process-wide allow-list for marshalled objects, set before this process reads the first one
 * from elsewhere. It names what River's proxies, leases and exceptions consist of; everything else
 * is refused before any of its code runs. Whoever starts the JVM with {@code -Djdk.serialFilter}
 * has chosen another list, and that stays.
 */
final class MarshalledFilter implements ObjectInputFilter {
  private static final Logger LOG = LoggerFactory.getLogger(MarshalledFilter.class);
  private static final long MOST_BYTES = 16 << 20;
  private static final long MOST_REFERENCES = 100_000;

  /** Nested sets cost twice as much with each level. */
  private static final long DEEPEST = 20;

  private static final long LONGEST_ARRAY = 1 << 20;

  /** Classes of these packages and of those below them. */
  private static final List<String> TREES =
      List.of(
          "io.gleaner.",
          "com.hazelcast.",
          "net.jini.constraint.",
          "net.jini.core.",
          "net.jini.discovery.",
          "net.jini.id.",
          "net.jini.io.",
          "net.jini.jeri.",
          "net.jini.lookup.",
          "net.jini.security.",
          "com.sun.jini.admin.",
          "com.sun.jini.constants.",
          "com.sun.jini.discovery.",
          "com.sun.jini.jeri.",
          "com.sun.jini.landlord.",
          "com.sun.jini.lease.",
          "com.sun.jini.logging.",
          "com.sun.jini.lookup.",
          "com.sun.jini.mahalo.",
          "com.sun.jini.outrigger.",
          "com.sun.jini.proxy.",
          "com.sun.jini.reggie.",
          "com.sun.jini.start.");

  /** Exceptions of these packages, their subpackages left out. */
  private static final Set<String> EXCEPTIONS =
      Set.of("java.io", "java.net", "java.rmi", "java.rmi.server", "java.security");

  /** Packages of values and collections, their subpackages left out. */
  private static final Set<String> VALUES =
      Set.of("java.lang", "java.math", "java.time", "java.util", "java.util.concurrent");

  private static final Set<String> CLASSES =
      Set.of(
          "java.lang.reflect.Proxy",
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetAddress",
          "java.net.InetSocketAddress",
          "java.rmi.MarshalledObject",
          "java.rmi.Remote",
          "java.util.logging.Level");

  private MarshalledFilter() {}

  /** Sets it for this process, unless a filter is set already. */
  static synchronized void install() {
    if (Config.getSerialFilter() != null) {
      return;
    }
    try {
      Config.setSerialFilter(new MarshalledFilter());
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "marshalled objects cannot be filtered in this process, so none are read; start it without"
              + " whatever set up serialisation before",
          e);
    }
  }

  @Override
  public Status checkInput(FilterInfo info) {
    Class<?> type = info.serialClass();
    boolean fits =
        info.depth() <= DEEPEST
            && info.references() <= MOST_REFERENCES
            && info.streamBytes() <= MOST_BYTES
            && info.arrayLength() <= LONGEST_ARRAY;
    if (fits && type == null) {
      return Status.UNDECIDED;
    }
    if (fits && isAllowed(type)) {
      return Status.ALLOWED;
    }
    LOG.warn(
        "refused a marshalled object: {}",
        !fits || type == null
            ? "it is too large"
            : "class " + type.getName() + " is not on the list");
    return Status.REJECTED;
  }

  private static boolean isAllowed(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element.isPrimitive()) {
      return true;
    }
    String name = element.getName();
    return VALUES.contains(element.getPackageName())
        || Proxy.isProxyClass(element)
        || CLASSES.contains(name)
        || TREES.stream().anyMatch(name::startsWith)
        || (Throwable.class.isAssignableFrom(element)
            && EXCEPTIONS.contains(element.getPackageName()));
  }
}
