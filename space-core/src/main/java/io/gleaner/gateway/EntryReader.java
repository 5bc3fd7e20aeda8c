package io.gleaner.gateway;

import static io.gleaner.gateway.Protocol.require;
import static io.gleaner.gateway.Protocol.requireKnown;

import com.google.protobuf.ByteString;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import java.util.ArrayList;
import java.util.List;

/** Reads the entries of one frame; for one thread. */
final class EntryReader {
  private final List<EntryType> types;

  private EntryReader(List<EntryType> types) {
    this.types = types;
  }

  /** A reader for the frame with these types. */
  static EntryReader of(List<ByteString> types) throws MalformedFrame {
    List<EntryType> read = new ArrayList<>(types.size());
    for (ByteString type : types) {
      read.add(TypeFrames.read(type));
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
}
