package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Reads what {@link StateWriter} wrote, however it is cut into chunks; for one thread. */
final class StateReader {
  private static final int MOST_BYTES = 1 << 30;
  private static final byte[] NONE = {};

  private final Iterator<byte[]> chunks;
  private final List<EntryType> types = new ArrayList<>();
  private byte[] chunk = NONE;
  private int position;

  StateReader(Iterator<byte[]> chunks) {
    this.chunks = chunks;
  }

  static IllegalArgumentException malformed(String why) {
    return new IllegalArgumentException(
        "these bytes are not what a cell wrote: " + why + "; take another copy");
  }

  /** Fails if anything is left. */
  void end() {
    if (hasMore()) {
      throw malformed("something follows the end");
    }
  }

  private boolean hasMore() {
    while (position == chunk.length && chunks.hasNext()) {
      chunk = chunks.next();
      position = 0;
    }
    return position < chunk.length;
  }

  private int get() {
    if (position == chunk.length && !hasMore()) {
      throw malformed("they end too early");
    }
    return chunk[position++] & 0xff;
  }

  boolean flag() {
    int value = get();
    if (value > 1) {
      throw malformed("a flag is " + value);
    }
    return value == 1;
  }

  long count() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = get();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw malformed("a number is too long");
  }

  int size() {
    long value = count();
    if (value < 0 || value > MOST_BYTES) {
      throw malformed("a count is " + value);
    }
    return (int) value;
  }

  long number() {
    long value = count();
    return (value >>> 1) ^ -(value & 1);
  }

  long secret() {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = (value << 8) | get();
    }
    return value;
  }

  String text() {
    int chars = size();
    StringBuilder text = new StringBuilder(Math.min(chars, 1_024));
    for (int i = 0; i < chars; i++) {
      text.append((char) count());
    }
    return text.toString();
  }

  byte[] bytes() {
    int length = size() - 1;
    if (length < 0) {
      return null;
    }
    byte[] value = new byte[length];
    int from = 0;
    while (from < length) {
      value[from++] = (byte) get();
      int more = Math.min(length - from, chunk.length - position);
      System.arraycopy(chunk, position, value, from, more);
      position += more;
      from += more;
    }
    return value;
  }

  <T> List<T> list(Function<StateReader, T> each) {
    int size = size();
    List<T> values = new ArrayList<>(Math.min(size, 1_024));
    for (int i = 0; i < size; i++) {
      values.add(each.apply(this));
    }
    return values;
  }

  EntryType type() {
    int known = size();
    if (known > types.size()) {
      throw malformed("a class comes before its name");
    }
    if (known > 0) {
      return types.get(known - 1);
    }
    EntryType type =
        new EntryType(
                text(), list(StateReader::text), list(StateReader::text), (int) number(), flag())
            .shared();
    types.add(type);
    return type;
  }

  EncodedEntry entry() {
    return fields(type());
  }

  /** An entry of a type. */
  EncodedEntry fields(EntryType type) {
    byte[][] fields = new byte[type.fieldNames().size()][];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = bytes();
    }
    return new EncodedEntry(type, fields);
  }

  List<EncodedEntry> entries() {
    return list(StateReader::entry);
  }

  BucketKey bucket() {
    return new BucketKey(text(), type(), size());
  }

  /** When something is due, or null. */
  Deadlines.Handle handle() {
    if (!flag()) {
      return null;
    }
    long due = number();
    return new Deadlines.Handle(due == -1 ? Deadlines.NEVER : due, count());
  }

  ProbeId probe() {
    return new ProbeId(size(), count());
  }
}
