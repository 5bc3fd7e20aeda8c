package io.gleaner.gateway;

import io.gleaner.blob.BlobStore;
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
    long patienceMillis) {

  /** Looks whether the user may see blobs; each look occupies a reader. */
  NamedBlobs heldBy(String user) {
    BlobStore theirs = blobs.of(user);
    return digests ->
        readers
            .executeBlocking(
                () -> {
                  for (String digest : digests) {
                    if (!theirs.contains(digest)) {
                      return false;
                    }
                  }
                  return true;
                },
                false)
            .toCompletionStage()
            .toCompletableFuture();
  }
}
