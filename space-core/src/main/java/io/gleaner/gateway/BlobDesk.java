package io.gleaner.gateway;

import io.gleaner.blob.UserBlobs;
import io.vertx.core.WorkerExecutor;

/**
 * The blobs and the threads that read and write them.
 *
 * @param writers each upload occupies one while it lasts
 * @param readers occupied for one chunk at a time
 * @param limitBytes longest blob
 * @param patienceMillis how long an upload may stand still
 */
record BlobDesk(
    UserBlobs blobs,
    WorkerExecutor writers,
    WorkerExecutor readers,
    long limitBytes,
    long patienceMillis) {}
