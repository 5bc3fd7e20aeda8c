package io.gleaner.blob;

import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.sql.Connection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Contents as files of one folder: {@code ab/abcd...} by their digest. They are written to a
 * temporary file, forced to disk and renamed, so that a file under its digest is always whole and a
 * crash leaves at most a temporary file, which the next start removes. One process per folder.
 */
final class FileContents implements BlobContents {
  private static final String INCOMING = "incoming";

  private final Path folder;
  private final Path incoming;

  /** Opens the folder, which is made if it does not exist. */
  FileContents(Path folder) throws IOException {
    this.folder = folder;
    this.incoming = Files.createDirectories(folder.resolve(INCOMING));
    try (DirectoryStream<Path> leftOver = Files.newDirectoryStream(incoming)) {
      for (Path file : leftOver) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public Received receive() throws IOException {
    return new Part(Files.createTempFile(incoming, "blob", ".part"));
  }

  /** Open only while it is written to, so that slow uploads hold no files open. */
  private final class Part implements Received {
    private final Path file;
    private final MessageDigest hash = Digests.sha256();
    private String digest = "";
    private long bytes;

    Part(Path file) {
      this.file = file;
    }

    @Override
    public void add(byte[] chunk) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
        for (ByteBuffer rest = ByteBuffer.wrap(chunk); rest.hasRemaining(); ) {
          channel.write(rest);
        }
      }
      hash.update(chunk);
      bytes += chunk.length;
    }

    @Override
    public String complete() throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      digest = Digests.hex(hash.digest());
      return digest;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public long keep(Connection transaction) throws IOException {
      Path target = fileOf(digest);
      Files.createDirectories(target.getParent());
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
      force(target.getParent());
      force(folder);
      return 0;
    }

    @Override
    public void close() throws IOException {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public InputStream open(String digest, long content) throws IOException {
    try {
      return Files.newInputStream(fileOf(digest));
    } catch (NoSuchFileException e) {
      throw (IOException)
          new FileNotFoundException("there is no blob " + digest + " in this store").initCause(e);
    }
  }

  boolean has(String digest) {
    return Files.isRegularFile(fileOf(digest));
  }

  @Override
  public void remove(Connection transaction, long content) {
    // Nothing of it is in the database.
  }

  @Override
  public void removed(String digest) throws IOException {
    Files.deleteIfExists(fileOf(digest));
  }

  @Override
  public void sweep() {
    // Temporary files are removed when the folder is opened; others belong to uploads under way.
  }

  @Override
  public Set<String> stray() throws IOException {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files
          .filter(file -> Digests.isSha256Hex(file.getFileName().toString()))
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toSet());
    }
  }

  @Override
  public long strayBytes(String digest) throws IOException {
    return Files.size(fileOf(digest));
  }

  private Path fileOf(String digest) {
    return folder.resolve(digest.substring(0, 2)).resolve(digest);
  }

  /** A rename is durable once its folder is; some systems cannot force a folder and need not. */
  private static void force(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(FileContents.class)
          .debug("this system does not force folders to disk: {}", e.getMessage());
    }
  }
}
