package io.gleaner.gateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the entries of one frame and collects the types they refer to; for one thread. */
final class EntryWriter {
  private final Map<EntryType, Integer> indexes = new LinkedHashMap<>();

  List<Wire.Entry> entries(List<EncodedEntry> entries) {
    List<Wire.Entry> written = new ArrayList<>(entries.size());
    for (EncodedEntry entry : entries) {
      written.add(entry(entry));
    }
    return written;
  }

  Wire.Entry entry(EncodedEntry entry) {
    Integer index = indexes.get(entry.type());
    if (index == null) {
      index = indexes.size();
      indexes.put(entry.type(), index);
    }
    Wire.Entry.Builder written = Wire.Entry.newBuilder().setType(index);
    for (byte[] field : entry.fields()) {
      written.addFields(
          field == null
              ? Wire.Field.getDefaultInstance()
              // The arrays of an entry never change, so that nothing needs to be copied.
              : Wire.Field.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(field)).build());
    }
    return written.build();
  }

  /** The types of everything written so far, in the order of their indexes. */
  List<ByteString> types() {
    List<ByteString> types = new ArrayList<>(indexes.size());
    for (EntryType type : indexes.keySet()) {
      types.add(TypeFrames.write(type));
    }
    return types;
  }
}
