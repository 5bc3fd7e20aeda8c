package io.gleaner.gateway;

import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The jobs that a device holds contracts for, as they were listed last. Safe for all threads;
 * guarded by its monitor.
 */
final class Contracted {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOKED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int MOST_REMEMBERED = 10_000;

  private final Ticker ticker;
  private final Set<Object> ever = new HashSet<>();
  private Set<Object> now = Set.of();
  private boolean known;
  private long listedNanos;

  Contracted(Ticker ticker) {
    this.ticker = ticker;
  }

  /** All contracts of the device have been listed. */
  synchronized void listed(Collection<EncodedEntry> contracts) {
    Set<Object> jobs = new HashSet<>();
    contracts.forEach(contract -> contract.scalar("jobId").ifPresent(jobs::add));
    now = jobs;
    if (ever.size() > MOST_REMEMBERED) {
      ever.clear();
    }
    ever.addAll(jobs);
    known = true;
    listedNanos = ticker.nanos();
  }

  /** It has had a contract for the job before it came here. */
  synchronized void hadBefore(Object jobId) {
    ever.add(jobId);
  }

  /** Another contract was seen: what is known is looked up again before it is used. */
  synchronized void seen(List<EncodedEntry> contracts) {
    if (contracts.stream()
        .anyMatch(each -> !each.scalar("jobId").filter(now::contains).isPresent())) {
      known = false;
    }
  }

  synchronized boolean has(Object jobId) {
    return now.contains(jobId);
  }

  synchronized boolean everHad(Object jobId) {
    return ever.contains(jobId);
  }

  /** Whether what is known of the job is old enough to be looked up again. */
  synchronized boolean isStale(Object jobId) {
    long age = ticker.nanos() - listedNanos;
    return !known || age > FRESH_NANOS || (!now.contains(jobId) && age > LOOKED_NANOS);
  }
}
