package io.gleaner.api.calls;

import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.Task;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Classes with all that they refer to, read as bytes from where they were loaded, as Gomoluch's
 * framework ships code (section 11.4.2). The JDK's classes and Gleaner's own are left out: the
 * launcher has them. Immutable.
 */
public final class ClassClosure {
  private static final int MOST_CLASSES = 20_000;
  private static final long MOST_BYTES = 64L * 1024 * 1024;
  private static final String API = "io/gleaner/api/";
  private static final String OWN = "io/gleaner/";
  private static final String OWN_PLACE = placeOf(Task.class);

  /** Bytes by class name; empty bytes for what is left out. */
  private final Map<String, byte[]> found;

  public ClassClosure() {
    this(new TreeMap<>());
  }

  private ClassClosure(Map<String, byte[]> found) {
    this.found = found;
  }

  private record Wanted(String name, ClassLoader loader, boolean named) {}

  /**
   * The closure with more classes; the same one if it has them all.
   *
   * @throws GleanerException TOO_LARGE, or DAMAGED if the bytes of one of the classes cannot be had
   */
  public ClassClosure and(Collection<Class<?>> classes) {
    Map<String, byte[]> all = new TreeMap<>(found);
    Deque<Wanted> wanted = new ArrayDeque<>();
    for (Class<?> each : classes) {
      Class<?> plain = each;
      while (plain.isArray()) {
        plain = plain.getComponentType();
      }
      if (!plain.isPrimitive() && !plain.isHidden() && plain.getClassLoader() != null) {
        wanted.add(new Wanted(plain.getName().replace('.', '/'), plain.getClassLoader(), true));
      }
    }
    long bytes = all.values().stream().mapToLong(b -> b.length).sum();
    while (!wanted.isEmpty()) {
      Wanted next = wanted.remove();
      if (all.containsKey(next.name())) {
        continue;
      }
      byte[] code = read(next);
      all.put(next.name(), code);
      bytes += code.length;
      if (all.size() > MOST_CLASSES || bytes > MOST_BYTES) {
        throw new GleanerException(
            Code.TOO_LARGE,
            "the program refers to more than %d classes or %d bytes, lastly to %s; put what is"
                    .formatted(MOST_CLASSES, MOST_BYTES, next.name())
                + " shipped into a class of its own that refers to less, or build a jar");
      }
      for (String name : referredFrom(next.name(), code)) {
        wanted.add(new Wanted(name, next.loader(), false));
      }
    }
    return all.size() == found.size() ? this : new ClassClosure(all);
  }

  /** The classes as a jar; the same classes give the same bytes. */
  public byte[] jar() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> each : found.entrySet()) {
        if (each.getValue().length > 0) {
          JarEntry entry = new JarEntry(each.getKey() + ".class");
          entry.setTime(0);
          jar.putNextEntry(entry);
          jar.write(each.getValue());
          jar.closeEntry();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static byte[] read(Wanted wanted) {
    if (wanted.name().startsWith(API) || wanted.name().startsWith("java/")) {
      return new byte[0];
    }
    URL place = wanted.loader().getResource(wanted.name() + ".class");
    if (place == null) {
      if (wanted.named()) {
        throw new GleanerException(
            Code.DAMAGED,
            "the bytes of class "
                + wanted.name().replace('/', '.')
                + " cannot be read: it was made at run time; use a class from a file");
      }
      // Named in the code but not there: an optional part that is not used here either.
      return new byte[0];
    }
    boolean own = wanted.name().startsWith(OWN) && place.toString().contains(OWN_PLACE);
    if (own || place.getProtocol().equals("jrt")) {
      return new byte[0];
    }
    try (InputStream in = place.openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new GleanerException(Code.FILE, "cannot read " + place + ": " + e.getMessage(), e);
    }
  }

  private static Iterable<String> referredFrom(String name, byte[] code) {
    try {
      return code.length == 0 ? java.util.List.of() : ClassFile.referredFrom(code);
    } catch (IOException e) {
      throw new GleanerException(
          Code.DAMAGED, "class " + name + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static String placeOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().toString();
  }
}
