package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.NamedDigests;
import io.gleaner.space.Command;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Which blobs market entries name in earnest, and whether a client's user may see them. What else
 * looks like a digest gives nobody a right: who knows a SHA-256 could write it anywhere. Safe for
 * all threads.
 */
@FunctionalInterface
interface NamedBlobs {

  /** Whether the client's user has uploaded all of them or was handed them by the market. */
  CompletableFuture<Boolean> holds(Set<String> digests);

  /** What a device would let others read by this command. */
  static Set<String> by(Command command) {
    if (!(command instanceof Command.Write write)) {
      return Set.of();
    }
    Set<String> named = new HashSet<>();
    for (EncodedEntry entry : write.entries()) {
      String kind = MarketTypes.kindOf(entry.type());
      Optional<Object> digest =
          switch (kind) {
            case "CheckpointEntry" -> entry.scalar("digest");
            case "ResultEntry" ->
                entry.isOpen("output") ? entry.scalar("outputDigest") : Optional.empty();
            default -> Optional.empty();
          };
      digest.map(Object::toString).ifPresent(named::add);
    }
    return named;
  }

  /** What a device may read once it is handed this: what a node wrote, or checked as above. */
  static Set<String> handed(EncodedEntry entry, String device) {
    return switch (MarketTypes.kindOf(entry.type())) {
      case "JobEntry" -> NamedDigests.in(entry, "bundleDigest");
      case "TaskEntry" -> NamedDigests.in(entry, "inputs");
      case "CheckpointEntry" ->
          entry.scalar("launcherId").filter(device::equals).isEmpty()
              ? NamedDigests.in(entry, "digest")
              : Set.of();
      default -> Set.of();
    };
  }
}
