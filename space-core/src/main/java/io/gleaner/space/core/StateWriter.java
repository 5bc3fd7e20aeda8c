package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes values as bytes, in chunks; for one thread. {@link StateReader} reads them. */
final class StateWriter {
  private final int chunkBytes;
  private final Consumer<byte[]> chunks;
  private final Map<EntryType, Integer> types = new LinkedHashMap<>();
  private byte[] buffer = new byte[256];
  private int length;

  /**
   * A writer.
   *
   * @param chunkBytes what a chunk has at most
   * @param chunks gets each chunk when it is full, and the last with {@link #close}
   */
  StateWriter(int chunkBytes, Consumer<byte[]> chunks) {
    this.chunkBytes = chunkBytes;
    this.chunks = chunks;
  }

  void close() {
    if (length > 0) {
      flush();
    }
  }

  private void flush() {
    chunks.accept(Arrays.copyOf(buffer, length));
    length = 0;
  }

  private void put(int value) {
    if (length == buffer.length) {
      if (length < chunkBytes) {
        buffer = Arrays.copyOf(buffer, (int) Math.min(2L * length, chunkBytes));
      } else {
        flush();
      }
    }
    buffer[length++] = (byte) value;
  }

  void flag(boolean value) {
    put(value ? 1 : 0);
  }

  /** A number of at least 0, short if it is small. */
  void count(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      put(((int) rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  /** A count of an int. */
  void size(int value) {
    count(value);
  }

  /** Any number, short if it is near 0. */
  void number(long value) {
    count((value << 1) ^ (value >> 63));
  }

  /** A number of which every bit is random. */
  void secret(long value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      put((int) (value >>> shift));
    }
  }

  void text(String value) {
    count(value.length());
    for (int i = 0; i < value.length(); i++) {
      count(value.charAt(i));
    }
  }

  /** Bytes or null. */
  void bytes(byte[] value) {
    if (value == null) {
      count(0);
      return;
    }
    count(value.length + 1L);
    int from = 0;
    while (from < value.length) {
      put(value[from++]);
      int more = Math.min(value.length - from, buffer.length - length);
      System.arraycopy(value, from, buffer, length, more);
      length += more;
      from += more;
    }
  }

  <T> void list(Collection<T> values, BiConsumer<StateWriter, T> each) {
    count(values.size());
    for (T value : values) {
      each.accept(this, value);
    }
  }

  /** The first time in full, then by its number. */
  void type(EntryType type) {
    Integer known = types.get(type);
    if (known != null) {
      count(known + 1L);
      return;
    }
    types.put(type, types.size());
    count(0);
    text(type.name());
    list(type.supertypes(), StateWriter::text);
    list(type.fieldNames(), StateWriter::text);
    number(type.shardField());
    flag(type.transientEntries());
  }

  void entry(EncodedEntry entry) {
    type(entry.type());
    fields(entry);
  }

  /** An entry whose type the reader knows. */
  void fields(EncodedEntry entry) {
    for (byte[] field : entry.fields()) {
      bytes(field);
    }
  }

  void entries(Collection<EncodedEntry> entries) {
    list(entries, StateWriter::entry);
  }

  void bucket(BucketKey key) {
    text(key.space());
    type(key.type());
    count(key.shard());
  }

  void handle(Deadlines.Handle handle) {
    flag(handle != null);
    if (handle != null) {
      number(handle.dueNanos() == Deadlines.NEVER ? -1 : handle.dueNanos());
      count(handle.number());
    }
  }

  /** Where an entry lies. */
  void stored(Stored stored) {
    count(stored.bucket.number());
    count(stored.number);
  }

  /** A transaction's part in this cell, or null. */
  void transaction(Participation part) {
    number(part == null ? 0 : part.transaction);
  }

  void call(Call call) {
    secret(call.session);
    count(call.sequence);
  }

  void probe(ProbeId id) {
    count(id.cell());
    count(id.number());
  }
}
