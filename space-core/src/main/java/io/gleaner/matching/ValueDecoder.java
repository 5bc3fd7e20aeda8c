package io.gleaner.matching;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads what {@link ValueEncoder} wrote. Bytes from strangers are safe: counts are checked against
 * the bytes that are left before anything is allocated, nesting is bounded, and a class is touched
 * only once it is known to be an enum or a record. Nothing is deserialised.
 */
final class ValueDecoder {
  private final ByteBuffer in;
  private final ClassLoader classes;

  private ValueDecoder(byte[] bytes, ClassLoader classes) {
    this.in = ByteBuffer.wrap(bytes);
    this.classes = classes;
  }

  /**
   * The value.
   *
   * @throws MalformedValue if the bytes are none
   */
  static Object decode(byte[] bytes, ClassLoader classes) {
    try {
      ValueDecoder decoder = new ValueDecoder(bytes, classes);
      Object value = decoder.read(0);
      if (decoder.in.hasRemaining()) {
        throw new MalformedValue(decoder.in.remaining() + " bytes after the value");
      }
      return value;
    } catch (BufferUnderflowException e) {
      throw new MalformedValue("the value ends too early", e);
    } catch (DateTimeException | ArithmeticException e) {
      throw new MalformedValue("a time is out of range", e);
    } catch (MalformedValue e) {
      throw e;
    } catch (RuntimeException e) {
      throw new MalformedValue("the value cannot be made: " + e, e);
    }
  }

  /**
   * The text or number, or empty if the bytes are something else, or not as {@link ValueEncoder}
   * writes it; touches no class.
   */
  static Optional<Object> scalar(byte[] bytes) {
    boolean isScalar =
        bytes.length > 0 && (bytes[0] == Tag.STRING.code || bytes[0] == Tag.INTEGER.code);
    try {
      return isScalar
          ? Optional.ofNullable(decode(bytes, ValueDecoder.class.getClassLoader()))
              .filter(value -> Arrays.equals(ValueEncoder.encode(value), bytes))
          : Optional.empty();
    } catch (MalformedValue e) {
      return Optional.empty();
    }
  }

  private Object read(int depth) {
    if (depth > ValueEncoder.MAX_DEPTH) {
      throw new MalformedValue("nested deeper than " + ValueEncoder.MAX_DEPTH);
    }
    Tag tag = Tag.of(Byte.toUnsignedInt(in.get()));
    return switch (tag) {
      case NULL -> null;
      case STRING -> text();
      case CHARS -> new String(chars());
      case BOOLEAN -> in.get() != 0;
      case BYTE -> in.get();
      case SHORT -> in.getShort();
      case CHARACTER -> in.getChar();
      case INTEGER -> in.getInt();
      case LONG -> in.getLong();
      case FLOAT -> in.getFloat();
      case DOUBLE -> in.getDouble();
      case BOOLEANS, BYTES, SHORTS, CHARACTERS, INTEGERS, LONGS, FLOATS, DOUBLES -> primitives(tag);
      case INSTANT -> Instant.ofEpochSecond(in.getLong(), nanos());
      case DURATION -> Duration.ofSeconds(in.getLong(), nanos());
      case UUID -> new UUID(in.getLong(), in.getLong());
      case BIG_INTEGER -> bigInteger();
      case BIG_DECIMAL -> bigDecimal();
      case ENUM -> constant();
      case RECORD -> record(depth);
      case LIST -> filled(new ArrayList<>(), depth);
      case SET -> filled(new HashSet<>(), depth);
      case MAP -> filled(new HashMap<>(), depth);
      case ARRAY -> array(depth);
      case VALUE -> TextValues.read(name(), text());
      case OPTIONAL -> Optional.ofNullable(read(depth + 1));
      case COLLECTION -> filled(Collected.collection(name()), depth);
      case MAPPING -> filled(Collected.map(name()), depth);
      case SERIALISED -> throw new MalformedValue("serialised values are not read here");
    };
  }

  private Object primitives(Tag tag) {
    if (tag == Tag.BYTES) {
      return bytes();
    }
    if (tag == Tag.CHARACTERS) {
      return chars();
    }
    int width =
        switch (tag) {
          case BOOLEANS -> 1;
          case SHORTS -> 2;
          case INTEGERS, FLOATS -> 4;
          default -> 8;
        };
    int count = count(width);
    Class<?> component =
        switch (tag) {
          case BOOLEANS -> boolean.class;
          case SHORTS -> short.class;
          case INTEGERS -> int.class;
          case FLOATS -> float.class;
          case LONGS -> long.class;
          default -> double.class;
        };
    Object array = Array.newInstance(component, count);
    for (int i = 0; i < count; i++) {
      switch (tag) {
        case BOOLEANS -> Array.setBoolean(array, i, in.get() != 0);
        case SHORTS -> Array.setShort(array, i, in.getShort());
        case INTEGERS -> Array.setInt(array, i, in.getInt());
        case FLOATS -> Array.setFloat(array, i, in.getFloat());
        case LONGS -> Array.setLong(array, i, in.getLong());
        default -> Array.setDouble(array, i, in.getDouble());
      }
    }
    return array;
  }

  private Object filled(Collection<Object> collection, int depth) {
    int count = count(1);
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(read(depth + 1));
    }
    collection.addAll(elements); // at once: one class copies all that it has with each
    return collection;
  }

  private Object filled(Map<Object, Object> map, int depth) {
    int count = count(2);
    for (int i = 0; i < count; i++) {
      Object key = read(depth + 1);
      map.put(key, read(depth + 1));
    }
    return map;
  }

  private Object array(int depth) {
    Class<?> component = classNamed(name());
    int count = count(1);
    Object[] array = (Object[]) Array.newInstance(component, count);
    for (int i = 0; i < count; i++) {
      Object element = read(depth + 1);
      if (element != null && !component.isInstance(element)) {
        throw new MalformedValue(
            element.getClass().getName() + " in " + component.getName() + "[]");
      }
      array[i] = element;
    }
    return array;
  }

  private Object constant() {
    Class<?> type = classNamed(name());
    String constant = name();
    if (!type.isEnum()) {
      throw new MalformedValue(type.getName() + " is no enum");
    }
    return Arrays.stream(type.getEnumConstants())
        .filter(c -> ((Enum<?>) c).name().equals(constant))
        .findFirst()
        .orElseThrow(() -> new MalformedValue(type.getName() + " has no constant " + constant));
  }

  private Object record(int depth) {
    Class<?> type = classNamed(name());
    if (!type.isRecord()) {
      throw new MalformedValue(type.getName() + " is no record");
    }
    RecordComponent[] components = type.getRecordComponents();
    if (count(1) != components.length) {
      throw new MalformedValue(type.getName() + " has other components here");
    }
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = read(depth + 1);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new MalformedValue(type.getName() + " does not accept its components", e);
    }
  }

  private BigInteger bigInteger() {
    byte[] magnitude = bytes();
    if (magnitude.length == 0) {
      throw new MalformedValue("a number without digits");
    }
    return new BigInteger(magnitude);
  }

  private BigDecimal bigDecimal() {
    int scale = in.getInt();
    return new BigDecimal(bigInteger(), scale);
  }

  private Class<?> classNamed(String name) {
    try {
      return NamedClasses.named(name, classes);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new MalformedValue("class " + e.getMessage() + " is not here", e);
    }
  }

  private int nanos() {
    int nanos = in.getInt();
    if (nanos < 0 || nanos > 999_999_999) {
      throw new MalformedValue("a second has no " + nanos + " nanoseconds");
    }
    return nanos;
  }

  private String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  private String name() {
    return text();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[count(1)];
    in.get(bytes);
    return bytes;
  }

  private char[] chars() {
    char[] chars = new char[count(2)];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = in.getChar();
    }
    return chars;
  }

  /** A count of things of at least so many bytes each; never more than there are bytes for. */
  private int count(int minimumBytesEach) {
    long count = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.get();
      count |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        break;
      }
      if (shift >= 28) {
        throw new MalformedValue("a count is longer than five bytes");
      }
    }
    if (count * minimumBytesEach > in.remaining()) {
      throw new MalformedValue(count + " elements in " + in.remaining() + " bytes");
    }
    return (int) count;
  }
}
