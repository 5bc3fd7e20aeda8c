package io.gleaner.blob;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Collects what nobody keeps and nobody uses, see {@link KeptBlobs#collect}. */
final class Removing {
  private static final int EXPIRED_AT_ONCE = 10_000;
  private static final int KEPT_AT_ONCE = 500;
  private static final long HANDED_MILLIS = Duration.ofDays(1).toMillis();

  private final Vault vault;
  private final BlobRows rows;
  private final BlobContents contents;

  Removing(Vault vault) {
    this.vault = vault;
    this.rows = vault.rows;
    this.contents = vault.contents;
  }

  int collect(Collection<BlobUse> uses) throws IOException {
    contents.sweep();
    long now = vault.clock.millis();
    List<Catalogue.Expired> expired =
        rows.run(
            "look for blobs that nobody uses",
            c -> {
              Catalogue.forgetFuture(c, now, vault.pinMillis());
              Catalogue.forgetHolders(c, now - HANDED_MILLIS);
              return Catalogue.expired(c, now, EXPIRED_AT_ONCE);
            });
    if (expired.isEmpty()) {
      return 0;
    }
    Set<String> digests =
        expired.stream().map(Catalogue.Expired::digest).collect(Collectors.toUnmodifiableSet());
    Map<String, Set<String>> used = new HashMap<>();
    for (BlobUse use : uses) {
      use.among(digests)
          .forEach(
              (digest, users) -> used.computeIfAbsent(digest, d -> new TreeSet<>()).addAll(users));
    }
    stay(used, now);
    int removed = 0;
    for (Catalogue.Expired blob : expired) {
      if (used.containsKey(blob.digest())) {
        continue;
      }
      if (!blob.suspect()) {
        rows.run(
            "suspect a blob", c -> Catalogue.suspect(c, blob.digest(), now, vault.pinMillis()));
      } else if (remove(blob.digest(), now)) {
        removed++;
      }
    }
    return removed;
  }

  /** Many in a transaction, so that what is used for years costs few of them. */
  private void stay(Map<String, Set<String>> used, long now) throws IOException {
    List<String> digests = used.keySet().stream().sorted().toList();
    for (int from = 0; from < digests.size(); from += KEPT_AT_ONCE) {
      List<String> some = digests.subList(from, Math.min(digests.size(), from + KEPT_AT_ONCE));
      Map<String, Set<String>> charged =
          rows.run(
              "keep blobs that are in use",
              c -> {
                for (String digest : some) {
                  Catalogue.pin(c, digest, vault.pinMillis());
                }
                return Catalogue.charged(c, some);
              });
      for (String digest : some) {
        Set<String> users = used.get(digest);
        if (!users.isEmpty() && !users.equals(charged.getOrDefault(digest, Set.of()))) {
          moveCharges(digest, users, now);
        }
      }
    }
  }

  private void moveCharges(String digest, Set<String> users, long now) throws IOException {
    rows.run(
        "charge a blob that is in use",
        c -> {
          if (Catalogue.pin(c, digest, vault.pinMillis())) {
            Catalogue.moveCharges(c, digest, users, now);
          }
          return digest;
        });
  }

  private boolean remove(String digest, long now) throws IOException {
    synchronized (vault.lock(digest)) {
      boolean removed =
          rows.run(
              "remove a blob",
              c -> {
                Optional<Catalogue.Place> place = Catalogue.lockExpired(c, digest, now);
                if (place.isPresent()) {
                  Catalogue.delete(c, digest);
                  contents.remove(c, place.get().content());
                }
                return place.isPresent();
              });
      if (removed) {
        contents.removed(digest);
      }
      return removed;
    }
  }
}
