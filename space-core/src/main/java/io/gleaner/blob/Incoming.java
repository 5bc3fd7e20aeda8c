package io.gleaner.blob;

import java.io.IOException;
import java.io.InputStream;

/**
 * A blob that comes chunk by chunk, and that nobody sees before {@link #end}. For one thread at a
 * time; nothing waits between two calls.
 */
public interface Incoming extends AutoCloseable {
  /** How long each chunk is, but for the last. */
  int CHUNK_BYTES = 256 * 1024;

  /**
   * Adds a chunk.
   *
   * @throws BlobTooLarge if that is longer than the store's limit
   */
  void add(byte[] chunk) throws IOException;

  /** Stores what came and returns its digest. */
  String end() throws IOException;

  /** Drops what came, unless it has been stored. */
  @Override
  void close() throws IOException;

  /** Adds all of the stream and ends. */
  default String all(InputStream content) throws IOException {
    for (byte[] chunk = content.readNBytes(CHUNK_BYTES);
        chunk.length > 0;
        chunk = content.readNBytes(CHUNK_BYTES)) {
      add(chunk);
    }
    return end();
  }
}
