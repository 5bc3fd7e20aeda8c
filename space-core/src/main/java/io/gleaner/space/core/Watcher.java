package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import java.util.List;

/**
 * What a registration wants to hear of from a bucket.
 *
 * @param registration its number, which names its cell
 * @param transaction under which it was made, or 0
 * @param availability whether returned and released entries count, not only written ones
 * @param visibilityOnly whether entries that could be read before are left out
 * @param withEntry whether the entry itself is wanted
 */
record Watcher(
    long registration,
    List<EncodedEntry> templates,
    long transaction,
    boolean availability,
    boolean visibilityOnly,
    boolean withEntry) {}
