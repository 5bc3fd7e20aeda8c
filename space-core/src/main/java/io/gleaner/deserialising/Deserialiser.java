package io.gleaner.deserialising;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Reads Java-serialised objects: a call in the sandbox of its child, the result of a call in the
 * client that asked for it, a field of an entry in the client that reads it, the latter two under
 * an {@link AllowList}. Nodes and launchers pass them on as bytes.
 */
public final class Deserialiser {
  private Deserialiser() {}

  /**
   * Reads one object.
   *
   * @param filter says what may be in it
   * @param classes finds its classes
   * @throws IOException if it is damaged or the filter refuses it
   */
  public static Object read(byte[] bytes, ObjectInputFilter filter, ClassLoader classes)
      throws IOException, ClassNotFoundException {
    try (Reader reader = new Reader(bytes, classes)) {
      reader.setObjectInputFilter(filter);
      return reader.readObject();
    }
  }

  private static final class Reader extends ObjectInputStream {
    private final ClassLoader classes;

    Reader(byte[] bytes, ClassLoader classes) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.classes = classes;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(described.getName(), false, classes);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(described); // the names of primitive types
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
      throw new InvalidClassException("a proxy of " + String.join(", ", interfaces));
    }
  }
}
