package io.gleaner.blob;

import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;

/**
 * Blobs as files of one folder: {@code ab/abcd...} by their digest. Content is written to a
 * temporary file, forced to disk and renamed, so that a file under its digest is always whole and a
 * crash leaves at most a temporary file, which the next start removes. Safe for all threads.
 */
public final class FileBlobStore implements BlobStore {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String INCOMING = "incoming";

  private final Path folder;
  private final Path incoming;
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
    this.folder = folder;
    this.incoming = Files.createDirectories(folder.resolve(INCOMING));
    this.limitBytes = limitBytes;
    try (DirectoryStream<Path> leftOver = Files.newDirectoryStream(incoming)) {
      for (Path file : leftOver) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public String put(InputStream content) throws IOException {
    Path temporary = Files.createTempFile(incoming, "blob", ".part");
    try {
      String digest = write(content, temporary);
      Path target = fileOf(digest);
      if (isWhole(target, digest)) {
        return digest;
      }
      Files.createDirectories(target.getParent());
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      force(target.getParent());
      force(folder);
      return digest;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  @Override
  public boolean contains(String digest) {
    return Digests.isSha256Hex(digest) && Files.isRegularFile(fileOf(digest));
  }

  @Override
  public InputStream open(String digest) throws IOException {
    if (!Digests.isSha256Hex(digest)) {
      throw new FileNotFoundException("what was asked for is not a SHA-256 in hexadecimal");
    }
    try {
      return new VerifiedStream(Files.newInputStream(fileOf(digest)), digest);
    } catch (NoSuchFileException e) {
      throw (IOException)
          new FileNotFoundException("there is no blob " + digest + " in this store").initCause(e);
    }
  }

  private String write(InputStream content, Path file) throws IOException {
    MessageDigest digest = Digests.sha256();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      OutputStream out = new DigestOutputStream(Channels.newOutputStream(channel), digest);
      byte[] buffer = new byte[BUFFER_BYTES];
      long total = 0;
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        total += read;
        if (total > limitBytes) {
          throw new BlobTooLarge(limitBytes);
        }
        out.write(buffer, 0, read);
      }
      channel.force(true);
    }
    return Digests.hex(digest.digest());
  }

  /**
   * A damaged file must not keep good content out, so what is there is read before it is trusted.
   */
  private static boolean isWhole(Path file, String digest) throws IOException {
    return Files.isRegularFile(file) && Digests.sha256Hex(file).equals(digest);
  }

  private Path fileOf(String digest) {
    return folder.resolve(digest.substring(0, 2)).resolve(digest);
  }

  /** A rename is durable once its folder is; some systems cannot force a folder and need not. */
  private static void force(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(FileBlobStore.class)
          .debug("this system does not force folders to disk: {}", e.getMessage());
    }
  }
}
