package io.gleaner.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Bytes under the SHA-256 of their content, in lower-case hexadecimal; safe for all threads.
 *
 * <p>The same content is stored once. What is read is verified against its digest.
 */
public interface BlobStore {

  /**
   * Stores all of the stream and returns its digest.
   *
   * @throws BlobTooLarge if the stream is longer than the store's limit
   */
  String put(InputStream content) throws IOException;

  /** Content that can be read again from its beginning. */
  interface Source {
    InputStream open() throws IOException;
  }

  /**
   * Stores all of the content and returns its digest; a store at another machine may read it more
   * than once.
   *
   * @throws BlobTooLarge if it is longer than the store's limit
   */
  default String put(Source content) throws IOException {
    try (InputStream in = content.open()) {
      return put(in);
    }
  }

  /** Stores the bytes and returns their digest. */
  default String put(byte[] content) throws IOException {
    return put(() -> new ByteArrayInputStream(content));
  }

  boolean contains(String digest) throws IOException;

  /**
   * Opens the content; the stream fails at its end if the bytes are not those of the digest.
   *
   * @throws java.io.FileNotFoundException if the store has no such content
   */
  InputStream open(String digest) throws IOException;

  /**
   * The whole content, for blobs that fit in memory.
   *
   * @throws java.io.FileNotFoundException if the store has no such content
   */
  default byte[] read(String digest) throws IOException {
    try (InputStream in = open(digest)) {
      return in.readAllBytes();
    }
  }
}
