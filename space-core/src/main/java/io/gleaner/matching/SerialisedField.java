package io.gleaner.matching;

import io.gleaner.deserialising.AllowList;
import io.gleaner.deserialising.Deserialiser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Set;

/**
 * A field whose value has no canonical form, as a stream of Java serialisation: bytes to the space,
 * as {@code MarshalledObject} is to JavaSpaces, and an object to clients only.
 */
final class SerialisedField {
  private SerialisedField() {}

  /**
   * The value as bytes.
   *
   * @throws IllegalArgumentException if it is not serialisable; it names what is not
   */
  static byte[] write(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Tag.SERIALISED.code);
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (NotSerializableException e) {
      throw new IllegalArgumentException(
          "a value of "
              + value.getClass().getName()
              + " cannot be stored: it has to be Serializable, or made of strings, numbers, times,"
              + " UUIDs, enums, records, arrays, lists, sets and maps; not serialisable is "
              + e.getMessage(),
          e);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException(
          "a value of " + value.getClass().getName() + " cannot be serialised: " + e, e);
    }
    return bytes.toByteArray();
  }

  static boolean isOne(byte[] field) {
    return field.length > 0 && field[0] == Tag.SERIALISED.code;
  }

  /**
   * The value of a field that {@link #isOne}.
   *
   * @param allowed packages and classes that it may hold besides the JDK's values
   * @throws MalformedValue if it holds something else, which is then not touched, or is damaged
   */
  static Object read(byte[] field, Set<String> allowed, ClassLoader classes) {
    AllowList filter = new AllowList(allowed, field.length);
    try {
      return Deserialiser.read(Arrays.copyOfRange(field, 1, field.length), filter, classes);
    } catch (InvalidClassException e) {
      throw new MalformedValue(
          filter.refusal().isEmpty()
              ? "a serialised value does not fit its class here: " + e.getMessage()
              : "a serialised value was refused: "
                  + filter.refusal()
                  + "; it may hold values of the JDK and of "
                  + allowed
                  + ", and of packages or classes that -D"
                  + AllowedClasses.PROPERTY
                  + "=<name>,<name> names",
          e);
    } catch (ClassNotFoundException e) {
      throw new MalformedValue("class " + e.getMessage() + " is not here", e);
    } catch (IOException
        | RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError e) {
      throw new MalformedValue("a serialised value cannot be read: " + e, e);
    }
  }
}
