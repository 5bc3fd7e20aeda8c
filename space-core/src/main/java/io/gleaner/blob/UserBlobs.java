package io.gleaner.blob;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** The blobs as each user may see them. Safe for all threads. */
public interface UserBlobs {

  /**
   * The store of one user, who sees what they uploaded and what an entry names that they were
   * handed; for everything else it is as if it were not there. What they upload is charged to them.
   */
  BlobStore of(String user);

  /** An upload of the user, whose content comes by and by. */
  Incoming begin(String user) throws IOException;

  /**
   * The user is handed entries that name these digests; whether they are blobs is not said.
   *
   * @return complete when every node knows it, or when that cannot be had
   */
  CompletableFuture<Void> handed(String user, Collection<String> digests);

  /** The node's own store: it sees everything and is charged nothing. */
  BlobStore all();
}
