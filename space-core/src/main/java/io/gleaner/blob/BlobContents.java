package io.gleaner.blob;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Where the bytes of blobs lie; which of them count is the catalogue's business. Safe for all
 * threads.
 */
interface BlobContents {

  /**
   * Bytes that come and that nobody sees yet; closing drops them unless they were kept. For one
   * thread at a time.
   */
  interface Received extends AutoCloseable {
    /** Adds a chunk, of {@link Incoming#CHUNK_BYTES} unless it is the last. */
    void add(byte[] chunk) throws IOException;

    /** All has come and is on disk; answers its digest. */
    String complete() throws IOException;

    /** How many have come. */
    long bytes();

    /** Makes them the content of their digest, in the transaction; answers the content's number. */
    long keep(Connection transaction) throws SQLException, IOException;

    @Override
    void close() throws IOException;
  }

  /** Begins to take a content. */
  Received receive() throws IOException;

  /**
   * Opens a content.
   *
   * @throws java.io.FileNotFoundException if it is not there
   */
  InputStream open(String digest, long content) throws IOException;

  /** Forgets what lies in the database, in the transaction that removes the blob. */
  void remove(Connection transaction, long content) throws SQLException;

  /** Forgets what lies outside of the database; the blob is removed. */
  void removed(String digest) throws IOException;

  /** Removes what uploads left behind that did not end. */
  void sweep() throws IOException;

  /** Digests of whole contents that a catalogue may not know. */
  Set<String> stray() throws IOException;

  /** The length of a stray content. */
  long strayBytes(String digest) throws IOException;
}
