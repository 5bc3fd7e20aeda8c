package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The leases of the entries of a bucket, those of entries included that somebody has taken and may
 * give back; for one thread. The bucket hears of each that ends.
 */
final class EntryLeases {
  /** Shorter leases of entries start anew after a restart; longer ones leave at least this. */
  private static final long LONG_MILLIS = 3_600_000;

  private final Context context;
  private final Bucket bucket;
  private final String home;
  private final Map<Long, Stored> byLease = new LinkedHashMap<>();

  EntryLeases(Context context, Bucket bucket) {
    this.context = context;
    this.bucket = bucket;
    this.home = new EntryHome(context.cell, bucket.number()).toString();
  }

  /** A number that no lease here has, for an entry that is to be granted one. */
  Long unused() {
    Long lease;
    do {
      lease = context.ids.secret();
    } while (byLease.containsKey(lease));
    return lease;
  }

  Reply.Granted grant(Stored stored, long millis) {
    byLease.put(stored.lease, stored);
    return new Reply.Granted(
        new LeaseId(LeaseId.Kind.ENTRY, home, stored.lease), extend(stored, millis));
  }

  /** Starts the lease anew and returns what was granted. */
  private long extend(Stored stored, long millis) {
    long granted = LeaseCaps.granted(millis, context.limits.leases().entryMillis());
    start(stored, granted);
    return granted;
  }

  private void start(Stored stored, long granted) {
    stored.leaseMillis = granted;
    if (stored.expiry != null) {
      context.deadlines.cancel(stored.expiry);
    }
    stored.expiry =
        context.deadlines.add(Deadlines.after(context.now(), granted), () -> expire(stored));
  }

  private void expire(Stored stored) {
    stored.expiry = null;
    bucket.expired(stored);
  }

  /** The entry is gone: it has no lease any more. */
  void end(Stored stored) {
    if (stored.expiry != null) {
      context.deadlines.cancel(stored.expiry);
      stored.expiry = null;
    }
    byLease.remove(stored.lease);
  }

  boolean has(Stored stored) {
    return byLease.containsKey(stored.lease);
  }

  Collection<Stored> entries() {
    return byLease.values();
  }

  /** Renews the lease of an entry; empty if it is not here any more. */
  OptionalLong renew(long lease, long millis) {
    Stored stored = byLease.get(lease);
    return stored == null || stored.expired
        ? OptionalLong.empty()
        : OptionalLong.of(extend(stored, millis));
  }

  /** Cancels the lease of an entry; false if it is not here any more. */
  boolean cancel(long lease) {
    Stored stored = byLease.get(lease);
    if (stored == null || stored.expired) {
      return false;
    }
    context.deadlines.cancel(stored.expiry);
    expire(stored);
    return true;
  }

  /** Every lease starts anew. */
  void restart() {
    for (Stored stored : byLease.values()) {
      if (!stored.expired) {
        start(stored, stored.leaseMillis);
      }
    }
  }

  /** Leases of an hour or more go on where they would be, but last an hour; others start anew. */
  void goOn(long awayMillis) {
    for (Stored stored : byLease.values()) {
      if (!stored.expired) {
        long granted = stored.leaseMillis;
        if (granted >= LONG_MILLIS && stored.expiry.dueNanos() != Deadlines.NEVER) {
          long left = Deadlines.millisBetween(context.now(), stored.expiry.dueNanos()) - awayMillis;
          start(stored, Math.min(granted, Math.max(LONG_MILLIS, left)));
          stored.leaseMillis = granted;
        } else {
          start(stored, granted);
        }
      }
    }
  }

  /** Every lease ends: the entries were not kept on disk. */
  void endAll() {
    for (Stored stored : List.copyOf(byLease.values())) {
      if (!stored.expired) {
        context.deadlines.cancel(stored.expiry);
        expire(stored);
      }
    }
  }

  /** As it was saved, with a lease that goes on. */
  void restore(Stored stored) {
    byLease.put(stored.lease, stored);
    if (stored.expiry != null) {
      context.deadlines.restore(stored.expiry, () -> expire(stored));
    }
  }
}
