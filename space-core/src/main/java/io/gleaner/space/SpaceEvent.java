package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import java.util.Optional;

/**
 * A hint that a matching entry became visible; it may be lost, so consumers also sweep (D7).
 *
 * @param eventId the registration's number
 * @param sequence grows with every event of the registration
 * @param entry the entry, where the registration asked for it
 * @param becameVisible false if the entry could be read before and only a lock on it was released
 */
public record SpaceEvent(
    long eventId, long sequence, Optional<EncodedEntry> entry, boolean becameVisible) {}
