package io.gleaner.storage;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Records on their way into the journal, and who hears that they are there.
 *
 * @param millis the time of day at which they came
 */
record Append(
    int cell,
    long epoch,
    long first,
    List<byte[]> records,
    int bytes,
    long millis,
    CompletableFuture<Void> durable) {}
