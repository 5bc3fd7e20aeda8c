package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.core.BucketKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where a client found entries when its template named no shard: the next time it looks there
 * first, instead of into one empty shard after the other. Safe for all threads.
 *
 * <p>One time in sixteen it looks somewhere else first, so that what lies in another shard is found
 * although the first one never gets empty.
 */
final class Trails {
  private static final int ELSEWHERE_ONCE_IN = 16;
  private static final int MOST_TYPES = 256;

  private final Map<EntryType, Integer> shards = new ConcurrentHashMap<>();

  /** The shard to look into first, or {@link Command.Match#ANYWHERE}. */
  int lookFirst(List<EncodedEntry> templates) {
    if (!isSpread(templates)) {
      return Command.Match.ANYWHERE;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Integer known = shards.get(templates.get(0).type());
    return known == null || random.nextInt(ELSEWHERE_ONCE_IN) == 0
        ? random.nextInt(BucketKey.SHARDS)
        : known;
  }

  /** Notes where something was. */
  void found(List<EncodedEntry> templates, List<EncodedEntry> found) {
    if (!found.isEmpty() && isSpread(templates)) {
      EncodedEntry last = found.get(found.size() - 1);
      EntryType type = templates.get(0).type();
      if (last.type().equals(type) && (shards.size() < MOST_TYPES || shards.containsKey(type))) {
        shards.put(type, BucketKey.shardOf(last));
      }
    }
  }

  private static boolean isSpread(List<EncodedEntry> templates) {
    return templates.size() == 1 && !BucketKey.isBound(templates.get(0));
  }
}
