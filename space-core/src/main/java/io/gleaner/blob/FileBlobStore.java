package io.gleaner.blob;

import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Blobs in a folder and nothing else: everybody sees everything, without a quota, and what is there
 * stays. Safe for all threads; one process per folder.
 */
public final class FileBlobStore implements BlobStore, UserBlobs {
  private final FileContents contents;
  private final long limitBytes;

  /**
   * Opens the folder, which is made if it does not exist.
   *
   * @param limitBytes the longest content it takes
   */
  public FileBlobStore(Path folder, long limitBytes) throws IOException {
    if (limitBytes < 1) {
      throw new IllegalArgumentException(
          "the limit of a blob store is " + limitBytes + " bytes, expected at least 1");
    }
    this.contents = new FileContents(folder);
    this.limitBytes = limitBytes;
  }

  @Override
  public String put(InputStream content) throws IOException {
    try (Incoming incoming = begin("")) {
      return incoming.all(content);
    }
  }

  @Override
  public Incoming begin(String user) throws IOException {
    BlobContents.Received received = contents.receive();
    return new Incoming() {
      @Override
      public void add(byte[] chunk) throws IOException {
        BlobTooLarge.check(received.bytes() + chunk.length, limitBytes);
        received.add(chunk);
      }

      @Override
      public String end() throws IOException {
        String digest = received.complete();
        try {
          // A damaged file must not keep good content out, so what is there is read first.
          if (!contains(digest) || !VerifiedStream.isWhole(open(digest))) {
            received.keep(null);
          }
        } catch (SQLException e) {
          throw new AssertionError("files have no database", e);
        }
        return digest;
      }

      @Override
      public void close() throws IOException {
        received.close();
      }
    };
  }

  @Override
  public boolean contains(String digest) {
    return Digests.isSha256Hex(digest) && contents.has(digest);
  }

  @Override
  public InputStream open(String digest) throws IOException {
    if (!Digests.isSha256Hex(digest)) {
      throw new FileNotFoundException("what was asked for is not a SHA-256 in hexadecimal");
    }
    return new VerifiedStream(contents.open(digest, 0), digest);
  }

  @Override
  public BlobStore of(String user) {
    return this;
  }

  @Override
  public BlobStore all() {
    return this;
  }

  @Override
  public CompletableFuture<Void> handed(String user, Collection<String> digests) {
    return CompletableFuture.completedFuture(null); // they see it already
  }
}
