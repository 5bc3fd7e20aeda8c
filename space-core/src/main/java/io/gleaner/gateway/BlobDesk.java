package io.gleaner.gateway;

import io.gleaner.blob.BlobStore;
import io.vertx.core.WorkerExecutor;

/**
 * The store and the threads that read and write it.
 *
 * @param writers each upload occupies one while it lasts
 * @param readers occupied for one chunk at a time
 * @param limitBytes longest blob
 * @param patienceMillis how long an upload may stand still
 */
record BlobDesk(
    BlobStore store,
    WorkerExecutor writers,
    WorkerExecutor readers,
    long limitBytes,
    long patienceMillis) {}
