package io.gleaner.blob;

import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blobs as the node, which sees all of them, or one user sees them. Safe for all threads. */
final class Shelf implements BlobStore {
  private static final Logger LOG = LoggerFactory.getLogger(Shelf.class);

  private final Vault vault;
  private final BlobRows rows;
  private final BlobContents contents;
  private final Optional<String> user;

  Shelf(Vault vault, Optional<String> user) {
    this.vault = vault;
    this.rows = vault.rows;
    this.contents = vault.contents;
    this.user = user;
  }

  @Override
  public String put(InputStream content) throws IOException {
    try (Incoming incoming = begin()) {
      return incoming.all(content);
    }
  }

  Incoming begin() throws IOException {
    long used =
        user.isEmpty()
            ? 0
            : rows.run("count the blobs of a user", c -> Catalogue.usedBytes(c, user.get()));
    return new Counted(used, contents.receive());
  }

  private void keep(String digest, BlobContents.Received received) throws IOException {
    boolean damaged = isDamaged(digest);
    rows.run(
        "keep a blob",
        c -> {
          boolean inserted = Catalogue.insert(c, digest, received.bytes(), vault.pinMillis());
          // Gone meanwhile: another node has collected it.
          while (!inserted && !Catalogue.pin(c, digest, vault.pinMillis())) {
            inserted = Catalogue.insert(c, digest, received.bytes(), vault.pinMillis());
          }
          if (user.isPresent()) {
            Catalogue.charge(
                c,
                user.get(),
                digest,
                received.bytes(),
                vault.settings.quotaBytes(),
                vault.clock.millis());
          }
          if (damaged) {
            contents.remove(c, Catalogue.find(c, digest, Optional.empty()).orElseThrow().content());
          }
          if (inserted || damaged) {
            Catalogue.setContent(c, digest, received.keep(c));
          }
          return digest;
        });
  }

  /** A damaged content must not keep a good one out, so what is there is read first. */
  private boolean isDamaged(String digest) throws IOException {
    Optional<Catalogue.Place> there =
        rows.run("look for a blob", c -> Catalogue.find(c, digest, Optional.empty()));
    if (there.isEmpty()) {
      return false;
    }
    try {
      return !VerifiedStream.isWhole(
          new VerifiedStream(contents.open(digest, there.get().content()), digest));
    } catch (FileNotFoundException e) {
      LOG.warn("the content of blob {} is missing", digest);
      return true;
    }
  }

  @Override
  public boolean contains(String digest) throws IOException {
    return Digests.isSha256Hex(digest)
        && rows.run(
            "look for a blob",
            c ->
                Catalogue.find(c, digest, holder(digest)).isPresent()
                    && Catalogue.pin(c, digest, vault.pinMillis()));
  }

  @Override
  public InputStream open(String digest) throws IOException {
    if (!Digests.isSha256Hex(digest)) {
      throw new FileNotFoundException("what was asked for is not a SHA-256 in hexadecimal");
    }
    Optional<Catalogue.Place> place =
        rows.run(
            "look for a blob",
            c -> {
              Optional<Catalogue.Place> found = Catalogue.find(c, digest, holder(digest));
              // It must not go while it is read.
              if (found.isPresent()
                  && found.get().keptUntilMillis()
                      < vault.clock.millis() + vault.settings.pin().toMillis() / 2) {
                Catalogue.pin(c, digest, vault.pinMillis());
              }
              return found;
            });
    if (place.isEmpty()) {
      throw new FileNotFoundException("there is no blob " + digest + " in this store");
    }
    return new VerifiedStream(contents.open(digest, place.get().content()), digest);
  }

  /** Who must hold the digest, which is nobody if the user was handed it lately. */
  private Optional<String> holder(String digest) {
    return user.filter(name -> !vault.handed.knows(name, digest));
  }

  /** Counts what the user's uploads have brought so far, of all that are under way. */
  private final class Counted implements Incoming {
    private final long usedBytes;
    private final BlobContents.Received received;
    private long bytes;

    Counted(long usedBytes, BlobContents.Received received) {
      this.usedBytes = usedBytes;
      this.received = received;
    }

    @Override
    public void add(byte[] chunk) throws IOException {
      BlobTooLarge.check(received.bytes() + chunk.length, vault.settings.limitBytes());
      if (user.isPresent()) {
        bytes += chunk.length;
        long incoming = vault.incoming(user.get(), chunk.length);
        if (usedBytes + incoming > vault.settings.quotaBytes()) {
          throw new BlobQuotaExceeded(user.get(), usedBytes, vault.settings.quotaBytes());
        }
      }
      received.add(chunk);
    }

    @Override
    public String end() throws IOException {
      String digest = received.complete();
      synchronized (vault.lock(digest)) {
        keep(digest, received);
      }
      return digest;
    }

    @Override
    public void close() throws IOException {
      user.ifPresent(name -> vault.incoming(name, -bytes));
      bytes = 0;
      received.close();
    }
  }
}
