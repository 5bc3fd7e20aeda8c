package io.gleaner.book;

import java.time.Instant;

/**
 * Slots of a launcher that serve a bag now.
 *
 * @param awarded when it was made
 * @param quantumEnds from then on its slots are offered again
 * @param running whether a task was seen to run under it
 */
public record Contract(
    String contractId,
    String launcherId,
    String jobId,
    int slots,
    long microsPerUnit,
    Instant awarded,
    Instant quantumEnds,
    boolean running) {}
