package io.gleaner.blob;

import io.gleaner.storage.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blobs of a pool: a catalogue in SQL, and contents in files beside H2 or in chunk rows of a
 * server. As a {@link BlobStore} it is the node's own, which sees everything and is charged
 * nothing; {@link #of} is the store of one user. Safe for all threads.
 *
 * <p>A blob stays for a pin's length after it was uploaded, was said to be there, or was named by
 * an entry that somebody was handed; then as long as it is in use, see {@link #collect}. Upload and
 * removal of one digest exclude each other: by a lock for files, which one process has, and by the
 * blob's row for all.
 */
public final class KeptBlobs implements UserBlobs, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeptBlobs.class);
  private static final int MOST_UNWRITTEN = 10_000;

  private final Vault vault;
  private final ThreadPoolExecutor writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_UNWRITTEN),
          task -> {
            Thread thread = new Thread(task, "gleaner-blob-rights");
            thread.setDaemon(true);
            return thread;
          });

  private KeptBlobs(Vault vault) {
    this.vault = vault;
  }

  /**
   * Opens the blobs of a database of the schema {@link io.gleaner.storage.Schema#NODE}.
   *
   * @param folder for the contents, if the database is a file
   */
  public static KeptBlobs open(
      Database database, Path folder, BlobSettings settings, InstantSource clock)
      throws IOException {
    BlobRows rows = new BlobRows(database.dataSource());
    BlobContents contents =
        database.shared() ? new ChunkRows(rows, clock) : new FileContents(folder);
    KeptBlobs blobs = new KeptBlobs(new Vault(rows, contents, settings, clock));
    blobs.begin();
    return blobs;
  }

  /** Whole contents without a row are of a crash, or older than the catalogue. */
  private void begin() throws IOException {
    Set<String> stray = new HashSet<>(vault.contents.stray());
    int adopted =
        vault.rows.run(
            "open the blobs",
            c -> {
              Catalogue.pinAll(c, vault.pinMillis());
              if (!stray.isEmpty()) {
                stray.removeAll(Catalogue.all(c));
              }
              for (String digest : stray) {
                Catalogue.insert(c, digest, vault.contents.strayBytes(digest), vault.pinMillis());
              }
              return stray.size();
            });
    if (adopted > 0) {
      LOG.info("{} blobs were found that the catalogue did not know", adopted);
    }
  }

  @Override
  public BlobStore of(String user) {
    return new Shelf(vault, Optional.of(user));
  }

  @Override
  public Incoming begin(String user) throws IOException {
    return new Shelf(vault, Optional.of(user)).begin();
  }

  @Override
  public CompletableFuture<Void> handed(String user, Collection<String> digests) {
    long now = vault.clock.millis();
    List<String> due =
        vault.handed.note(user, digests, now - vault.settings.pin().toMillis() / 2, now);
    if (due.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      return CompletableFuture.runAsync(() -> writeDown(user, due), writer);
    } catch (RejectedExecutionException e) {
      // What is not written down is in memory all the same.
      LOG.debug("too much is to be written down to note what {} was handed", user);
      return CompletableFuture.completedFuture(null);
    }
  }

  private void writeDown(String user, List<String> digests) {
    try {
      vault.rows.run(
          "note who was handed a blob",
          c -> {
            // In this order, as a sweep does it: rows are locked one after the other.
            for (String digest : digests.stream().sorted().toList()) {
              if (Catalogue.pin(c, digest, vault.pinMillis())) {
                Catalogue.hold(c, user, digest, vault.clock.millis());
              }
            }
            return digests;
          });
    } catch (IOException e) {
      LOG.warn("it is not written down that {} was handed {} blobs", user, digests.size(), e);
    }
  }

  @Override
  public BlobStore all() {
    return new Shelf(vault, Optional.empty());
  }

  /** Bytes that the user is charged for. */
  public long usedBytes(String user) throws IOException {
    return vault.rows.run("count the blobs of a user", c -> Catalogue.usedBytes(c, user));
  }

  /**
   * Removes what is not pinned and not in use: what nobody used when its pin had ended, and nobody
   * uses a pin's length later. Blobs in use are charged to the users to whom they belong then.
   *
   * @param uses all who refer to blobs; if one cannot answer, nothing is removed
   * @return how many were removed
   */
  public int collect(Collection<BlobUse> uses) throws IOException {
    return new Removing(vault).collect(uses);
  }

  @Override
  public void close() {
    writer.shutdown();
  }
}
