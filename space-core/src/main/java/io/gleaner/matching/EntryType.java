package io.gleaner.matching;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the space knows of an entry class, without ever loading it (D3).
 *
 * @param name the binary name of the class
 * @param supertypes binary names of its superclasses that are entries, nearest first
 * @param fieldNames the usable fields: those of superclasses first, each class's own by name, so
 *     that the fields of a supertype are a prefix of those of its subtypes
 * @param shardField index of the field annotated {@link Shard}, or -1
 * @param transientEntries whether its entries need not survive a restart, see {@link Transient}
 */
public record EntryType(
    String name,
    List<String> supertypes,
    List<String> fieldNames,
    int shardField,
    boolean transientEntries) {
  private static final int MOST_SHARED = 4096;

  // A million entries of one class should share one type.
  private static final Map<EntryType, EntryType> SHARED = new ConcurrentHashMap<>();

  public EntryType {
    supertypes = List.copyOf(supertypes);
    fieldNames = List.copyOf(fieldNames);
    if (shardField < -1 || shardField >= fieldNames.size()) {
      throw new IllegalArgumentException("shard field " + shardField + " of " + fieldNames);
    }
  }

  /** The type of a class whose entries are kept. */
  public EntryType(String name, List<String> supertypes, List<String> fieldNames, int shardField) {
    this(name, supertypes, fieldNames, shardField, false);
  }

  /** The one of all equal types that everybody uses who calls this; safe for all threads. */
  public EntryType shared() {
    EntryType known = SHARED.get(this);
    if (known != null) {
      return known;
    }
    if (SHARED.size() < MOST_SHARED) {
      SHARED.putIfAbsent(this, this);
    }
    return this;
  }

  /**
   * Whether entries of this type can match templates of the other one. Two versions of one class
   * with other fields do not match each other; a superclass may have fewer fields.
   */
  public boolean canMatch(EntryType template) {
    if (equals(template) || template.equals(EncodedEntry.ANYTHING)) {
      return true;
    }
    if (name.equals(template.name)) {
      return fieldNames.equals(template.fieldNames);
    }
    int fields = template.fieldNames.size();
    return isA(template.name)
        && fields <= fieldNames.size()
        && fieldNames.subList(0, fields).equals(template.fieldNames);
  }

  /** By name alone: this is on the path of every operation, and one name rarely has two shapes. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof EntryType t
            && name.equals(t.name)
            && shardField == t.shardField
            && transientEntries == t.transientEntries
            && fieldNames.equals(t.fieldNames)
            && supertypes.equals(t.supertypes));
  }

  public boolean isA(String typeName) {
    return name.equals(typeName) || supertypes.contains(typeName);
  }
}
