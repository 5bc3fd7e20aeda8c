package io.gleaner.gateway;

import static io.gleaner.gateway.Protocol.require;
import static io.gleaner.gateway.Protocol.requireKnown;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import java.util.ArrayList;
import java.util.List;

/** Reads the entries of one frame; for one thread. */
final class EntryReader {
  static final int MOST_FIELDS = 256;
  private static final int MOST_SUPERTYPES = 32;
  private static final int LONGEST_NAME = 512;

  private final List<EntryType> types;

  private EntryReader(List<EntryType> types) {
    this.types = types;
  }

  /** A reader for the frame with these types. */
  static EntryReader of(List<Wire.EntryType> types) throws MalformedFrame {
    List<EntryType> read = new ArrayList<>(types.size());
    for (Wire.EntryType type : types) {
      read.add(type(type));
    }
    return new EntryReader(read);
  }

  List<EncodedEntry> entries(List<Wire.Entry> entries) throws MalformedFrame {
    List<EncodedEntry> read = new ArrayList<>(entries.size());
    for (Wire.Entry entry : entries) {
      read.add(entry(entry));
    }
    return read;
  }

  EncodedEntry entry(Wire.Entry entry) throws MalformedFrame {
    requireKnown(entry);
    require(
        entry.getType() >= 0 && entry.getType() < types.size(),
        "an entry is of type " + entry.getType() + " of " + types.size());
    EntryType type = types.get(entry.getType());
    require(
        entry.getFieldsCount() == type.fieldNames().size(),
        "an entry of " + type.fieldNames().size() + " fields comes with " + entry.getFieldsCount());
    byte[][] fields = new byte[entry.getFieldsCount()][];
    for (int i = 0; i < fields.length; i++) {
      Wire.Field field = entry.getFields(i);
      requireKnown(field);
      fields[i] = field.hasValue() ? field.getValue().toByteArray() : null;
    }
    return new EncodedEntry(type, fields);
  }

  private static EntryType type(Wire.EntryType type) throws MalformedFrame {
    requireKnown(type);
    require(!type.getName().isEmpty(), "an entry type has no name");
    require(
        type.getFieldsCount() <= MOST_FIELDS,
        "an entry type has " + type.getFieldsCount() + " fields, " + MOST_FIELDS + " are allowed");
    require(
        type.getSupertypesCount() <= MOST_SUPERTYPES,
        "an entry type has "
            + type.getSupertypesCount()
            + " supertypes, "
            + MOST_SUPERTYPES
            + " are allowed");
    require(
        type.getName().length() <= LONGEST_NAME
            && type.getFieldsList().stream().allMatch(name -> name.length() <= LONGEST_NAME)
            && type.getSupertypesList().stream().allMatch(name -> name.length() <= LONGEST_NAME),
        "a name of an entry type has more than " + LONGEST_NAME + " characters");
    require(
        type.getShardField() >= -1 && type.getShardField() < type.getFieldsCount(),
        "the shard field " + type.getShardField() + " is not one of " + type.getFieldsCount());
    return new EntryType(
            type.getName(),
            type.getSupertypesList(),
            type.getFieldsList(),
            type.getShardField(),
            type.getTransientEntries())
        .shared();
  }
}
