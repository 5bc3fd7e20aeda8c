package io.gleaner.space;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The classes that a program sees through several loaders, the first that has one wins: a template
 * of a shared superclass may match entries whose classes only the thread's context loader knows.
 */
final class ProgramClasses extends ClassLoader {
  private final List<ClassLoader> others;

  private ProgramClasses(ClassLoader first, List<ClassLoader> others) {
    super(first);
    this.others = others;
  }

  /**
   * Those of the loaders and then of the thread's context; no loader of its own where one will do.
   */
  static ClassLoader of(List<ClassLoader> loaders) {
    Set<ClassLoader> distinct = new LinkedHashSet<>(loaders);
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    distinct.add(context == null ? ProgramClasses.class.getClassLoader() : context);
    List<ClassLoader> all = new ArrayList<>(distinct);
    all.removeIf(loader -> distinct.stream().anyMatch(other -> isAncestor(loader, other)));
    return all.size() == 1
        ? all.get(0)
        : new ProgramClasses(all.get(0), List.copyOf(all.subList(1, all.size())));
  }

  private static boolean isAncestor(ClassLoader loader, ClassLoader of) {
    for (ClassLoader next = of.getParent(); next != null; next = next.getParent()) {
      if (next == loader) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ClassNotFoundException missing = new ClassNotFoundException(name);
    for (ClassLoader other : others) {
      try {
        return other.loadClass(name);
      } catch (ClassNotFoundException e) {
        missing.addSuppressed(e);
      }
    }
    throw missing;
  }
}
