package io.gleaner.matching;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.jini.core.entry.Entry;

/**
 * What reflection says of an entry class; immutable. Source: Jini entry specification, EN.1: public
 * class, public no-argument constructor, and as fields the public ones of object type that are not
 * static, transient or final.
 */
record EntryShape(
    EntryType type, Constructor<?> constructor, List<Field> fields, boolean canonicalOnly) {
  private static final int LEFT_OUT = Modifier.STATIC | Modifier.TRANSIENT | Modifier.FINAL;

  private static final ClassValue<EntryShape> KNOWN =
      new ClassValue<>() {
        @Override
        protected EntryShape computeValue(Class<?> entryClass) {
          return inspect(entryClass);
        }
      };

  /**
   * The shape of the class.
   *
   * @throws IllegalArgumentException if it is not a class for entries
   */
  static EntryShape of(Class<?> entryClass) {
    return KNOWN.get(entryClass);
  }

  private static EntryShape inspect(Class<?> entryClass) {
    String name = entryClass.getName();
    if (!Entry.class.isAssignableFrom(entryClass)) {
      throw new IllegalArgumentException(name + " does not implement net.jini.core.entry.Entry");
    }
    if (!Modifier.isPublic(entryClass.getModifiers())) {
      throw new IllegalArgumentException(name + " must be public to be stored");
    }
    List<String> supertypes = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (Class<?> c = entryClass; c != null && c != Object.class; c = c.getSuperclass()) {
      if (c != entryClass && Entry.class.isAssignableFrom(c)) {
        supertypes.add(c.getName());
      }
      fields.addAll(0, ownFields(c));
    }
    int shard = -1;
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).isAnnotationPresent(Shard.class)) {
        if (shard >= 0) {
          throw new IllegalArgumentException(name + " has two fields annotated @Shard; keep one");
        }
        shard = i;
      }
    }
    List<String> names = fields.stream().map(Field::getName).toList();
    return new EntryShape(
        new EntryType(
            name, supertypes, names, shard, entryClass.isAnnotationPresent(Transient.class)),
        constructor(entryClass),
        List.copyOf(fields),
        entryClass.isAnnotationPresent(CanonicalOnly.class));
  }

  private static List<Field> ownFields(Class<?> c) {
    List<Field> fields =
        Arrays.stream(c.getDeclaredFields())
            .filter(f -> Modifier.isPublic(f.getModifiers()) && (f.getModifiers() & LEFT_OUT) == 0)
            .sorted(Comparator.comparing(Field::getName))
            .toList();
    for (Field field : fields) {
      if (field.getType().isPrimitive()) {
        throw new IllegalArgumentException(
            field + " is primitive; entries have fields of object types, such as Integer");
      }
    }
    return fields;
  }

  private static Constructor<?> constructor(Class<?> entryClass) {
    try {
      return entryClass.getConstructor();
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          entryClass.getName() + " needs a public constructor without arguments", e);
    }
  }

  /** The encoded fields of the entry, one element per field of the type. */
  byte[][] encode(Entry entry) {
    byte[][] encoded = new byte[fields.size()][];
    for (int i = 0; i < encoded.length; i++) {
      Object value = read(fields.get(i), entry);
      if (value != null) {
        encoded[i] = encode(fields.get(i), value);
      }
    }
    return encoded;
  }

  private byte[] encode(Field field, Object value) {
    try {
      return ValueEncoder.encode(value, field.getType());
    } catch (NotCanonical e) {
      if (canonicalOnly) {
        throw new IllegalArgumentException(
            field + ": " + e.getMessage() + ", and entries of this class have no other", e);
      }
      byte[] written = SerialisedField.write(value);
      requireReadable(field, written);
      return written;
    }
  }

  /** What nobody could read back is better refused here than found after a take. */
  private void requireReadable(Field field, byte[] written) {
    try {
      serialised(field, written, constructor.getDeclaringClass().getClassLoader());
    } catch (MalformedValue e) {
      throw new IllegalArgumentException(
          field + " could not be read back, so it is not written: " + e.getMessage(), e);
    }
  }

  /**
   * The value of one field.
   *
   * @throws MalformedValue if the bytes are none, or hold what the field may not
   */
  Object decode(int field, byte[] bytes, ClassLoader classes) {
    return SerialisedField.isOne(bytes) && !canonicalOnly
        ? serialised(fields.get(field), bytes, classes)
        : ValueDecoder.decode(bytes, classes);
  }

  private Object serialised(Field field, byte[] bytes, ClassLoader classes) {
    return SerialisedField.read(
        bytes, AllowedClasses.of(field, constructor.getDeclaringClass()), classes);
  }

  private static Object read(Field field, Entry entry) {
    try {
      return field.get(entry);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(field + " cannot be read", e);
    }
  }
}
