package io.gleaner.gateway;

import static io.gleaner.gateway.Protocol.require;
import static io.gleaner.gateway.Protocol.requireKnown;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EntryType;
import io.gleaner.space.core.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Types of entries as messages and back. Every operation carries its types, and programs have few:
 * what was written or read before is looked up. Safe for all threads.
 */
final class TypeFrames {
  private static final int MOST_FIELDS = 256;
  private static final int MOST_SUPERTYPES = 32;

  /** Whatever peers send, no more than this is remembered, and nothing longer than that. */
  private static final int MOST_REMEMBERED = 4096;

  private static final int LONGEST_REMEMBERED_BYTES = 2048;

  private static final Map<EntryType, ByteString> WRITTEN = new ConcurrentHashMap<>();
  private static final Map<ByteString, EntryType> READ = new ConcurrentHashMap<>();

  private TypeFrames() {}

  static ByteString write(EntryType type) {
    ByteString known = WRITTEN.get(type);
    if (known != null) {
      return known;
    }
    ByteString written =
        Wire.EntryType.newBuilder()
            .setName(type.name())
            .addAllSupertypes(type.supertypes())
            .addAllFields(type.fieldNames())
            .setShardField(type.shardField())
            .setTransientEntries(type.transientEntries())
            .build()
            .toByteString();
    remember(WRITTEN, type, written, written.size());
    return written;
  }

  static EntryType read(ByteString bytes) throws MalformedFrame {
    EntryType known = READ.get(bytes);
    if (known != null) {
      return known;
    }
    try {
      EntryType read = checked(Wire.EntryType.parseFrom(bytes));
      remember(READ, bytes, read, bytes.size());
      return read;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedFrame("the bytes of a type are no EntryType: " + e.getMessage());
    }
  }

  private static <K, V> void remember(Map<K, V> known, K key, V value, int bytes) {
    if (bytes <= LONGEST_REMEMBERED_BYTES && known.size() < MOST_REMEMBERED) {
      known.putIfAbsent(key, value);
    }
  }

  private static EntryType checked(Wire.EntryType type) throws MalformedFrame {
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
        type.getName().length() <= Limits.NAME_LENGTH
            && type.getFieldsList().stream().allMatch(name -> name.length() <= Limits.NAME_LENGTH)
            && type.getSupertypesList().stream()
                .allMatch(name -> name.length() <= Limits.NAME_LENGTH),
        "a name of an entry type has more than " + Limits.NAME_LENGTH + " characters");
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
