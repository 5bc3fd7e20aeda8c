package io.gleaner.matching;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;

/**
 * Turns entry objects into what the space stores and back; only clients do this (D3). Safe for all
 * threads.
 */
public final class EntryCodec {
  private EntryCodec() {}

  /**
   * The entry or template as bytes; null is the template that matches everything.
   *
   * @throws IllegalArgumentException if its class or a value is not one that a space can store
   */
  public static EncodedEntry encode(Entry entry) {
    if (entry == null) {
      return new EncodedEntry(EncodedEntry.ANYTHING, new byte[0][]);
    }
    EntryShape shape = EntryShape.of(entry.getClass());
    return new EncodedEntry(shape.type(), shape.encode(entry));
  }

  /**
   * The entry as an object of its own class.
   *
   * @param classes where its class is looked up
   * @throws UnusableEntryException if the class is missing or has changed, or a field cannot be
   *     read; it says which, as the Jini entry specification asks (EN.1.4)
   */
  public static Entry decode(EncodedEntry encoded, ClassLoader classes)
      throws UnusableEntryException {
    EntryShape shape = shapeHere(encoded.type(), classes);
    Entry entry = newInstance(shape);
    List<String> bad = new ArrayList<>();
    List<Throwable> reasons = new ArrayList<>();
    for (int i = 0; i < encoded.fields().length; i++) {
      byte[] bytes = encoded.fields()[i];
      try {
        // Null is a value too: a constructor may have put another one there.
        shape.fields().get(i).set(entry, bytes == null ? null : shape.decode(i, bytes, classes));
      } catch (VirtualMachineError e) {
        throw e;
      } catch (IllegalAccessException | RuntimeException | Error e) {
        // Classes of the program run here: whatever they throw concerns this field only.
        bad.add(encoded.type().fieldNames().get(i));
        reasons.add(e);
      }
    }
    if (!bad.isEmpty()) {
      throw new UnusableEntryException(
          entry, bad.toArray(String[]::new), reasons.toArray(Throwable[]::new));
    }
    return entry;
  }

  private static EntryShape shapeHere(EntryType type, ClassLoader classes)
      throws UnusableEntryException {
    try {
      Class<?> entryClass = NamedClasses.named(type.name(), classes);
      EntryShape shape = EntryShape.of(entryClass);
      if (!shape.type().fieldNames().equals(type.fieldNames())) {
        throw new IllegalArgumentException(
            type.name()
                + " was stored with the fields "
                + type.fieldNames()
                + ", the class here has "
                + shape.type().fieldNames());
      }
      return shape;
    } catch (ClassNotFoundException | LinkageError | IllegalArgumentException e) {
      throw new UnusableEntryException(e);
    }
  }

  private static Entry newInstance(EntryShape shape) throws UnusableEntryException {
    try {
      return (Entry) shape.constructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new UnusableEntryException(e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new UnusableEntryException(e);
    }
  }
}
