package io.gleaner.gateway;

import io.gleaner.blob.BlobStore;
import io.gleaner.blob.UserBlobs;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * The blobs and the threads that read and write them.
 *
 * @param writers occupied for one chunk at a time
 * @param readers occupied for one chunk or look-up at a time
 * @param limitBytes longest blob
 * @param patienceSweeps how long an upload may stand still
 */
record BlobDesk(
    UserBlobs blobs, Turns writers, Turns readers, long limitBytes, long patienceSweeps) {

  /** Looks whether the user may see blobs; each look occupies a reader. */
  NamedBlobs heldBy(String user) {
    BlobStore theirs = blobs.of(user);
    return digests -> {
      CompletableFuture<Boolean> held = new CompletableFuture<>();
      readers.take(
          user,
          () -> {
            try {
              boolean all = true;
              for (String digest : digests) {
                all = all && theirs.contains(digest);
              }
              held.complete(all);
            } catch (IOException | RuntimeException e) {
              held.completeExceptionally(e);
            }
          });
      return held;
    };
  }
}
