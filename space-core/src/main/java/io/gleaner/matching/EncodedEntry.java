package io.gleaner.matching;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An entry or a template as the space sees it: its type and its fields as separately encoded bytes.
 *
 * <p>A {@code null} field is the value null in an entry and a wildcard in a template. The arrays
 * are shared and must not be changed.
 *
 * @param type the class; a template that matches everything has {@link #ANYTHING}
 * @param fields one element per field name of the type
 */
public record EncodedEntry(EntryType type, byte[][] fields) {

  /** The type of the template that matches every entry. */
  public static final EntryType ANYTHING =
      new EntryType("net.jini.core.entry.Entry", List.of(), List.of(), -1);

  public EncodedEntry {
    if (fields.length != type.fieldNames().size()) {
      throw new IllegalArgumentException(
          type.name() + " has " + type.fieldNames().size() + " fields, got " + fields.length);
    }
  }

  /**
   * Whether this template matches the entry: the entry's type is this type or a subtype, and each
   * field that is not null here is the same bytes there. Source: JavaSpaces specification, JS.2.5.
   */
  public boolean matches(EncodedEntry entry) {
    if (!type.equals(ANYTHING) && !entry.type.isA(type.name())) {
      return false;
    }
    if (entry.fields.length < fields.length) {
      return false;
    }
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] != null && !Arrays.equals(fields[i], entry.fields[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is nothing in the field, or no such field. */
  public boolean isOpen(String fieldName) {
    int field = type.fieldNames().indexOf(fieldName);
    return field < 0 || fields[field] == null;
  }

  /** The text or number in a field; empty if there is none, or something else. */
  public Optional<Object> scalar(String fieldName) {
    int field = type.fieldNames().indexOf(fieldName);
    return field < 0 || fields[field] == null
        ? Optional.empty()
        : ValueDecoder.scalar(fields[field]);
  }

  /** Bytes of all fields, for limits. */
  public long sizeBytes() {
    long size = 0;
    for (byte[] field : fields) {
      size += field == null ? 0 : field.length;
    }
    return size;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncodedEntry e
        && e.type.equals(type)
        && Arrays.deepEquals(e.fields, fields);
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + Arrays.deepHashCode(fields);
  }

  @Override
  public String toString() {
    return type.name()
        + Arrays.toString(type.fieldNames().toArray())
        + " "
        + sizeBytes()
        + " bytes";
  }
}
