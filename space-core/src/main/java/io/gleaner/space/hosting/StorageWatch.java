package io.gleaner.space.hosting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.leasing.Ticker;
import java.util.concurrent.CompletableFuture;

/**
 * Notes since when the storage has kept nothing of what it was given, or given no cell that was
 * claimed. Looks when it is told to; safe for all threads.
 */
final class StorageWatch {
  private final Keeping keeping;
  private final Claims claims;
  private final Ticker ticker;

  /** What was given until it looked last and had an answer. */
  @GuardedBy("this")
  private CompletableFuture<Void> asked = CompletableFuture.completedFuture(null);

  @GuardedBy("this")
  private long lookedNanos;

  StorageWatch(Keeping keeping, Claims claims, Ticker ticker) {
    this.keeping = keeping;
    this.claims = claims;
    this.ticker = ticker;
  }

  /** For how long it does not answer, as far as is known; 0 if it does. */
  synchronized long silentNanos() {
    long now = ticker.nanos();
    if (!keeping.isDurable()) {
      return 0;
    }
    if (asked.isDone()) {
      asked = keeping.allSoFar();
      lookedNanos = now;
    }
    long kept = asked.isDone() ? 0 : now - lookedNanos;
    return Math.max(kept, claims.wantingNanos());
  }
}
