package io.gleaner.matching;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Set;
import java.util.TreeSet;
import net.jini.entry.AbstractEntry;

/**
 * What a serialised value of a field may hold, by what the program itself has written down: the
 * packages of the types in the field's declaration; where that is a type of the JDK such as {@code
 * Object}, or {@code Entry}, which say little, the packages of the entry class and of the class
 * that declares the field; and what {@link #PROPERTY} names.
 */
final class AllowedClasses {
  /** System property: further packages and classes, with commas between. */
  static final String PROPERTY = "gleaner.entries.allow";

  private AllowedClasses() {}

  static Set<String> of(Field field, Class<?> entryClass) {
    Set<String> names = new TreeSet<>();
    add(field.getGenericType(), names);
    Class<?> declared = elementOf(field.getType());
    if (isOfTheJdk(declared) || declared.isAssignableFrom(AbstractEntry.class)) {
      names.add(entryClass.getPackageName());
      names.add(field.getDeclaringClass().getPackageName());
    }
    for (String each : System.getProperty(PROPERTY, "").split(",")) {
      if (!each.isBlank()) {
        names.add(each.strip());
      }
    }
    return names;
  }

  private static void add(Type type, Set<String> names) {
    if (type instanceof Class<?> c) {
      Class<?> element = elementOf(c);
      names.add(isOfTheJdk(element) ? element.getName() : element.getPackageName());
    } else if (type instanceof ParameterizedType generic) {
      add(generic.getRawType(), names);
      addAll(generic.getActualTypeArguments(), names);
    } else if (type instanceof GenericArrayType array) {
      add(array.getGenericComponentType(), names);
    } else if (type instanceof WildcardType some) {
      addAll(some.getUpperBounds(), names);
    }
  }

  private static void addAll(Type[] types, Set<String> names) {
    for (Type each : types) {
      add(each, names);
    }
  }

  private static Class<?> elementOf(Class<?> type) {
    return type.isArray() ? elementOf(type.getComponentType()) : type;
  }

  private static boolean isOfTheJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }
}
