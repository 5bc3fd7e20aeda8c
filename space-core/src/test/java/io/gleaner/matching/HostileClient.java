package io.gleaner.matching;

import java.io.Serializable;
import net.jini.core.entry.Entry;

/** Encodes as a client that does not look whether what it writes may be read. */
public final class HostileClient {
  private HostileClient() {}

  /** The entry with the value in a field that it has left open. */
  public static EncodedEntry encode(Entry entry, String field, Serializable value) {
    EncodedEntry encoded = EntryCodec.encode(entry);
    byte[][] fields = encoded.fields().clone();
    fields[encoded.type().fieldNames().indexOf(field)] = SerialisedField.write(value);
    return new EncodedEntry(encoded.type(), fields);
  }
}
