package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;
import io.gleaner.space.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How far one page of a listing has come: bucket after bucket in a fixed order, oldest entries
 * first. The cursor names the shape of the class, the shard and the last entry seen; a class that
 * appears between two pages may be missed.
 */
final class Pages {
  static final Reply.Refused STRANGE_CURSOR =
      new Reply.Refused(
          Reply.Refusal.INVALID, "the cursor is not one that this space gave for this listing");

  private static final Comparator<BucketKey> ORDER =
      Comparator.comparing((BucketKey key) -> key.type().name())
          .thenComparingLong(key -> shapeOf(key.type()))
          .thenComparing(BucketKey::shard);

  private final List<BucketKey> buckets;
  private final int limit;
  private final List<EncodedEntry> found = new ArrayList<>();
  private int next;
  private long after;

  private Pages(List<BucketKey> buckets, int limit) {
    this.buckets = buckets;
    this.limit = limit;
  }

  /** Nothing, until it begins. */
  static Pages none() {
    return new Pages(List.of(), 1);
  }

  /** Goes on at the cursor; empty if that is none of this listing. */
  static Optional<Pages> of(List<BucketKey> candidates, String cursor, int limit) {
    Pages pages = new Pages(candidates.stream().sorted(ORDER).toList(), limit);
    return cursor.isEmpty() || pages.goTo(cursor) ? Optional.of(pages) : Optional.empty();
  }

  private boolean goTo(String cursor) {
    String[] parts = cursor.split("\\|", -1);
    try {
      long shape = Long.parseUnsignedLong(parts[0], 16);
      int shard = Integer.parseInt(parts[1]);
      after = Long.parseLong(parts[2]);
      for (next = 0; next < buckets.size(); next++) {
        BucketKey key = buckets.get(next);
        if (shapeOf(key.type()) == shape && key.shard() == shard) {
          return true;
        }
      }
      return false;
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return false;
    }
  }

  /** Tells two classes of one name apart, which two clients with different versions may have. */
  private static long shapeOf(EntryType type) {
    String shape =
        type.name()
            + type.supertypes()
            + type.fieldNames()
            + type.shardField()
            + type.transientEntries();
    return FieldHash.of(shape.getBytes(StandardCharsets.UTF_8), 0);
  }

  /** Whether the page is full, or there is nothing more. */
  boolean isOver() {
    return next >= buckets.size() || Limits.isFull(found, limit);
  }

  /** Where to look next, while it is not over. */
  BucketKey bucket() {
    return buckets.get(next);
  }

  /** The number of the last entry there that was seen. */
  long after() {
    return after;
  }

  /** How many entries there is room for. */
  int room() {
    return limit - found.size();
  }

  /**
   * Takes what the bucket had.
   *
   * @param last the number of the last of the entries
   */
  void add(List<EncodedEntry> entries, long last, boolean more) {
    found.addAll(entries);
    after = last;
    if (!more) {
      next++;
      after = 0;
    }
  }

  /** The answer, once it is over. */
  Reply.Listed reply() {
    if (next >= buckets.size()) {
      return new Reply.Listed(found, "");
    }
    BucketKey bucket = buckets.get(next);
    return new Reply.Listed(
        found, Long.toHexString(shapeOf(bucket.type())) + "|" + bucket.shard() + "|" + after);
  }

  void save(StateWriter to) {
    to.list(buckets, StateWriter::bucket);
    to.entries(found);
    to.count(next);
    to.number(after);
  }

  static Pages load(StateReader from, int limit) {
    Pages pages = new Pages(from.list(StateReader::bucket), limit);
    pages.found.addAll(from.entries());
    pages.next = from.size();
    pages.after = from.number();
    return pages;
  }
}
