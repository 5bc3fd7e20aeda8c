package io.gleaner.matching;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Writes a value in its one canonical form: equal values give equal bytes, whatever their order of
 * iteration; the members of sets and the keys of maps are sorted by their bytes. Collections that
 * keep their class ({@link Collected}) are equal to others of that class only.
 */
final class ValueEncoder {
  static final int MAX_DEPTH = 32;

  private ValueEncoder() {}

  /**
   * The value of what is declared so, as bytes.
   *
   * @throws NotCanonical if it has no canonical form that fits there
   * @throws IllegalArgumentException if it is nested too deep
   */
  static byte[] encode(Object value, Class<?> declared) {
    requireReadable(declared, value, "a field");
    return encode(value);
  }

  static byte[] encode(Object value) {
    Bytes out = new Bytes();
    write(out, value, 0);
    return out.toArray();
  }

  private static void write(Bytes out, Object value, int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("a value is nested deeper than " + MAX_DEPTH);
    }
    if (value == null) {
      tag(out, Tag.NULL);
    } else if (value instanceof String text) {
      writeText(out, text);
    } else if (!writeScalar(out, value) && !writePrimitives(out, value)) {
      writeCompound(out, value, depth);
    }
  }

  private static void writeText(Bytes out, String text) {
    try {
      var utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      tag(out, Tag.STRING);
      out.putCount(utf8.remaining());
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      out.putAll(bytes);
    } catch (CharacterCodingException e) {
      tag(out, Tag.CHARS);
      out.putCount(text.length());
      text.chars().forEach(out::putShort);
    }
  }

  private static boolean writeScalar(Bytes out, Object value) {
    if (value instanceof Integer v) {
      tag(out, Tag.INTEGER);
      out.putInt(v);
    } else if (value instanceof Long v) {
      tag(out, Tag.LONG);
      out.putLong(v);
    } else if (value instanceof Boolean v) {
      tag(out, Tag.BOOLEAN);
      out.put(v ? 1 : 0);
    } else if (value instanceof Double v) {
      tag(out, Tag.DOUBLE);
      out.putLong(Double.doubleToLongBits(v));
    } else if (value instanceof Float v) {
      tag(out, Tag.FLOAT);
      out.putInt(Float.floatToIntBits(v));
    } else if (value instanceof Short v) {
      tag(out, Tag.SHORT);
      out.putShort(v);
    } else if (value instanceof Byte v) {
      tag(out, Tag.BYTE);
      out.put(v);
    } else if (value instanceof Character v) {
      tag(out, Tag.CHARACTER);
      out.putShort(v);
    } else if (value instanceof Instant v) {
      tag(out, Tag.INSTANT);
      out.putLong(v.getEpochSecond());
      out.putInt(v.getNano());
    } else if (value instanceof Duration v) {
      tag(out, Tag.DURATION);
      out.putLong(v.getSeconds());
      out.putInt(v.getNano());
    } else if (value instanceof UUID v) {
      tag(out, Tag.UUID);
      out.putLong(v.getMostSignificantBits());
      out.putLong(v.getLeastSignificantBits());
    } else if (value.getClass() == BigInteger.class) {
      tag(out, Tag.BIG_INTEGER);
      writeBytes(out, ((BigInteger) value).toByteArray());
    } else if (value.getClass() == BigDecimal.class) {
      tag(out, Tag.BIG_DECIMAL);
      out.putInt(((BigDecimal) value).scale());
      writeBytes(out, ((BigDecimal) value).unscaledValue().toByteArray());
    } else if (value instanceof Enum<?> v) {
      tag(out, Tag.ENUM);
      writeName(out, v.getDeclaringClass().getName());
      writeName(out, v.name());
    } else {
      return false;
    }
    return true;
  }

  private static boolean writePrimitives(Bytes out, Object value) {
    if (!value.getClass().isArray() || !value.getClass().getComponentType().isPrimitive()) {
      return false;
    }
    int length = Array.getLength(value);
    if (value instanceof byte[] v) {
      tag(out, Tag.BYTES);
      writeBytes(out, v);
    } else if (value instanceof int[] v) {
      header(out, Tag.INTEGERS, length);
      Arrays.stream(v).forEach(out::putInt);
    } else if (value instanceof long[] v) {
      header(out, Tag.LONGS, length);
      Arrays.stream(v).forEach(out::putLong);
    } else if (value instanceof double[] v) {
      header(out, Tag.DOUBLES, length);
      Arrays.stream(v).forEach(d -> out.putLong(Double.doubleToLongBits(d)));
    } else if (value instanceof float[] v) {
      header(out, Tag.FLOATS, length);
      for (float f : v) {
        out.putInt(Float.floatToIntBits(f));
      }
    } else if (value instanceof short[] v) {
      header(out, Tag.SHORTS, length);
      for (short s : v) {
        out.putShort(s);
      }
    } else if (value instanceof char[] v) {
      header(out, Tag.CHARACTERS, length);
      for (char c : v) {
        out.putShort(c);
      }
    } else if (value instanceof boolean[] v) {
      header(out, Tag.BOOLEANS, length);
      for (boolean b : v) {
        out.put(b ? 1 : 0);
      }
    }
    return true;
  }

  private static void writeCompound(Bytes out, Object value, int depth) {
    Optional<String> kept = Collected.kept(value);
    Optional<TextValues.Text> text = TextValues.of(value);
    if (kept.isPresent() && value instanceof Map<?, ?> map) {
      tag(out, Tag.MAPPING);
      writeName(out, kept.get());
      writePairs(out, map, Collected.isOrdered(kept.get()), depth);
    } else if (kept.isPresent()) {
      tag(out, Tag.COLLECTION);
      writeName(out, kept.get());
      writeElements(out, ((Collection<?>) value).toArray(), depth);
    } else if (Collected.isPlain(value)) {
      writePlain(out, value, depth);
    } else if (value instanceof Record) {
      writeRecord(out, value, depth);
    } else if (value instanceof Object[] array) {
      tag(out, Tag.ARRAY);
      writeName(out, array.getClass().getComponentType().getName());
      out.putCount(array.length);
      for (Object element : array) {
        requireReadable(array.getClass().getComponentType(), element, "an array");
        write(out, element, depth + 1);
      }
    } else if (text.isPresent()) {
      tag(out, Tag.VALUE);
      writeName(out, text.get().name());
      writeName(out, text.get().text());
    } else if (value instanceof Optional<?> optional) {
      tag(out, Tag.OPTIONAL);
      write(out, optional.orElse(null), depth + 1);
    } else {
      throw new NotCanonical("a value of " + value.getClass().getName() + " has no canonical form");
    }
  }

  private static void writePlain(Bytes out, Object value, int depth) {
    if (value instanceof Map<?, ?> map) {
      tag(out, Tag.MAP);
      writePairs(out, map, false, depth);
    } else if (value instanceof List<?> list) {
      tag(out, Tag.LIST);
      writeElements(out, list.toArray(), depth);
    } else {
      List<byte[]> members = sorted((Collection<?>) value, depth);
      header(out, Tag.SET, members.size());
      members.forEach(out::putAll);
    }
  }

  private static void writeElements(Bytes out, Object[] elements, int depth) {
    out.putCount(elements.length);
    for (Object element : elements) {
      write(out, element, depth + 1);
    }
  }

  private static void writePairs(Bytes out, Map<?, ?> map, boolean inItsOrder, int depth) {
    List<byte[][]> pairs = new ArrayList<>();
    map.forEach(
        (key, value) ->
            pairs.add(new byte[][] {encodeAt(key, depth + 1), encodeAt(value, depth + 1)}));
    if (!inItsOrder) {
      // By the value too: two keys that are arrays may look alike.
      pairs.sort(
          Comparator.<byte[][], byte[]>comparing(pair -> pair[0], Arrays::compareUnsigned)
              .thenComparing(pair -> pair[1], Arrays::compareUnsigned));
    }
    out.putCount(pairs.size());
    for (byte[][] pair : pairs) {
      out.putAll(pair[0]);
      out.putAll(pair[1]);
    }
  }

  private static List<byte[]> sorted(Collection<?> values, int depth) {
    return values.stream()
        .map(value -> encodeAt(value, depth + 1))
        .sorted(Arrays::compareUnsigned)
        .toList();
  }

  private static byte[] encodeAt(Object value, int depth) {
    Bytes out = new Bytes();
    write(out, value, depth);
    return out.toArray();
  }

  private static void writeRecord(Bytes out, Object value, int depth) {
    RecordComponent[] components = value.getClass().getRecordComponents();
    tag(out, Tag.RECORD);
    writeName(out, value.getClass().getName());
    out.putCount(components.length);
    for (RecordComponent component : components) {
      Object part = read(component, value);
      requireReadable(component.getType(), part, component.getName());
      write(out, part, depth + 1);
    }
  }

  /**
   * Refuses the canonical form where what it comes back as does not fit.
   *
   * @param declared the type of what holds the value
   */
  private static void requireReadable(Class<?> declared, Object value, String holder) {
    if (!(value instanceof Collection || value instanceof Map) || declared == Object.class) {
      return;
    }
    Class<?> decoded =
        Collected.kept(value).isPresent()
            ? value.getClass()
            : value instanceof List
                ? ArrayList.class
                : value instanceof Set ? HashSet.class : HashMap.class;
    if (!declared.isAssignableFrom(decoded)) {
      throw new NotCanonical(
          "a " + value.getClass().getName() + " in " + holder + " has no canonical form");
    }
  }

  private static Object read(RecordComponent component, Object value) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "component " + component.getName() + " of " + value.getClass().getName() + " is closed",
          e);
    }
  }

  private static void header(Bytes out, Tag tag, int count) {
    tag(out, tag);
    out.putCount(count);
  }

  private static void tag(Bytes out, Tag tag) {
    out.put(tag.code);
  }

  private static void writeBytes(Bytes out, byte[] bytes) {
    out.putCount(bytes.length);
    out.putAll(bytes);
  }

  private static void writeName(Bytes out, String name) {
    writeBytes(out, name.getBytes(StandardCharsets.UTF_8));
  }
}
