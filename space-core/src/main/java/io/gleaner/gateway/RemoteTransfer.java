package io.gleaner.gateway;

import io.gleaner.blob.BlobQuotaExceeded;
import io.gleaner.blob.BlobTooLarge;
import io.gleaner.gateway.wire.Wire;
import java.io.FileNotFoundException;
import java.io.IOException;

/** A blob on its way, or a question about one; called on the link's context. */
interface RemoteTransfer {
  void received(Wire.ServerFrame frame);

  /** The link is back: ask again for what did not come. */
  void resumed();

  /** There is another link, which knows nothing of this transfer. */
  void replaced();

  void fail(IOException why);

  /** The failure, with the stack of the thread that waited for it. */
  static IOException rethrown(IOException failure) {
    if (failure instanceof BlobTooLarge
        || failure instanceof BlobQuotaExceeded
        || failure instanceof UploadForgotten) {
      return failure;
    }
    return failure instanceof FileNotFoundException
        ? (IOException) new FileNotFoundException(failure.getMessage()).initCause(failure)
        : new IOException(failure.getMessage(), failure);
  }
}
