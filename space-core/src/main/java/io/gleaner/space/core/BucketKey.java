package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;

/**
 * Names a bucket: the entries of one class in one space whose shard field falls into one shard.
 * Classes without a shard field have the one shard 0.
 */
public record BucketKey(String space, EntryType type, int shard) {

  /** Shards of a class that has a shard field. */
  public static final int SHARDS = 16;

  /** The bucket of an entry, or of a template that names its shard. */
  public static BucketKey of(String space, EncodedEntry entry) {
    return new BucketKey(space, entry.type(), shardOf(entry));
  }

  /** The shard of an entry, or of a template that names one. */
  public static int shardOf(EncodedEntry entry) {
    int field = entry.type().shardField();
    return field < 0 ? 0 : (int) (FieldHash.of(entry.fields()[field], 0) & (SHARDS - 1));
  }

  static int shardsOf(EntryType type) {
    return type.shardField() < 0 ? 1 : SHARDS;
  }

  /** Whether a template of this very type asks one shard only. */
  public static boolean isBound(EncodedEntry template) {
    int field = template.type().shardField();
    return field < 0 || template.fields()[field] != null;
  }

  /** The cell that has the bucket. */
  public int cell(int cells) {
    long hash = FieldHash.mix(31L * space.hashCode() + type.name().hashCode());
    return Math.floorMod(hash + shard, cells);
  }

  @Override
  public int hashCode() {
    return (space.hashCode() * 31 + type.hashCode()) * 31 + shard;
  }
}
