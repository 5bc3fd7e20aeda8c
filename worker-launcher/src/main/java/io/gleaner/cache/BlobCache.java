package io.gleaner.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.blob.BlobStore;
import io.gleaner.secrets.PrivateFolder;
import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk cache in front of a {@link BlobStore}; safe for all threads, one process per folder.
 *
 * <p>What it hands out is a copy whose bytes were verified while they were copied, so neither a bad
 * disk nor a task can change what the next task gets, and eviction never pulls a file from under
 * one. A lock guards the index only; copies and downloads run beside each other.
 */
public final class BlobCache {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCache.class);

  private final Path folder;
  private final long maxBytes;
  private final BlobStore source;
  private final InstantSource clock;

  /** Digest to size, the one used longest ago first. */
  @GuardedBy("this")
  private final Map<String, Long> sizes = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("this")
  private long bytes;

  /**
   * @param folder used by nobody else; what it holds is found again after a restart
   * @param maxBytes what the folder may hold; a blob larger than that passes through uncached
   */
  public BlobCache(Path folder, long maxBytes, BlobStore source, InstantSource clock)
      throws IOException {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.source = source;
    this.clock = clock;
    PrivateFolder.create(folder);
    findAgain();
  }

  /**
   * Writes a verified copy to the target, which must not exist.
   *
   * @throws FileNotFoundException if neither cache nor store has the blob
   * @throws IOException if it cannot be read or written, or its bytes are not those of the digest
   */
  public void copyTo(String digest, Path target) throws IOException {
    if (!Digests.isSha256Hex(digest)) {
      throw new FileNotFoundException("'" + digest + "' is no SHA-256 in lower-case hexadecimal");
    }
    if (held(digest)) {
      try (InputStream in = Files.newInputStream(folder.resolve(digest))) {
        if (copy(in, target).equals(digest)) {
          Files.setLastModifiedTime(folder.resolve(digest), FileTime.from(clock.instant()));
          return;
        }
        LOG.warn("the cached blob {} has changed on disk; it is fetched again", digest);
      } catch (IOException e) {
        LOG.warn("the cached blob {} cannot be read: {}", digest, e.toString());
      }
      forget(digest);
      Files.deleteIfExists(target);
    }
    try (InputStream in = source.open(digest)) {
      String actual = copy(in, target);
      if (!actual.equals(digest)) {
        Files.deleteIfExists(target);
        throw new IOException("asked for the blob " + digest + ", got the bytes of " + actual);
      }
    }
    keep(digest, target);
  }

  /** Bytes held now. */
  public synchronized long sizeBytes() {
    return bytes;
  }

  private synchronized boolean held(String digest) {
    return sizes.get(digest) != null;
  }

  private void keep(String digest, Path verified) throws IOException {
    long size = Files.size(verified);
    if (size > maxBytes) {
      return;
    }
    Path part = Files.createTempFile(folder, "part-", "");
    Files.copy(verified, part, StandardCopyOption.REPLACE_EXISTING);
    Files.move(part, folder.resolve(digest), StandardCopyOption.ATOMIC_MOVE);
    synchronized (this) {
      Long before = sizes.put(digest, size);
      bytes += size - (before == null ? 0 : before);
      evict();
    }
  }

  private synchronized void forget(String digest) throws IOException {
    Long size = sizes.remove(digest);
    bytes -= size == null ? 0 : size;
    Files.deleteIfExists(folder.resolve(digest));
  }

  @GuardedBy("this")
  private void evict() throws IOException {
    Iterator<Map.Entry<String, Long>> oldest = sizes.entrySet().iterator();
    while (bytes > maxBytes && oldest.hasNext()) {
      Map.Entry<String, Long> entry = oldest.next();
      oldest.remove();
      bytes -= entry.getValue();
      Files.deleteIfExists(folder.resolve(entry.getKey()));
    }
  }

  private synchronized void findAgain() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        if (Digests.isSha256Hex(file.getFileName().toString())) {
          files.add(file);
        } else {
          Files.deleteIfExists(file);
        }
      }
    }
    files.sort(Comparator.comparing((Path file) -> file.toFile().lastModified()));
    for (Path file : files) {
      long size = Files.size(file);
      sizes.put(file.getFileName().toString(), size);
      bytes += size;
    }
    evict();
  }

  private static String copy(InputStream in, Path target) throws IOException {
    MessageDigest digest = Digests.sha256();
    try (OutputStream file = Files.newOutputStream(target);
        OutputStream out = new DigestOutputStream(file, digest)) {
      in.transferTo(out);
    }
    return Digests.hex(digest.digest());
  }
}
