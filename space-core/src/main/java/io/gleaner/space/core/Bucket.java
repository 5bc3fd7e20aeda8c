package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.NamedDigests;
import io.gleaner.matching.Postings;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The entries of one class and shard; for one thread. What can be read lies in posting lists; what
 * a transaction or a probe hides lies beside them and costs a search nothing.
 */
final class Bucket {
  /** Shorter leases of entries start anew after a restart; longer ones leave at least this. */
  private static final long LONG_MILLIS = 3_600_000;

  private final Context context;
  private final BucketKey key;
  private final int number;
  private final String home;
  private final Map<Long, Stored> byLease = new LinkedHashMap<>();
  private final Map<Long, Stored> hidden = new LinkedHashMap<>();
  private final Postings<Stored> free;
  private final Waiters waiters;
  private final Watches watches;
  private final Map<ProbeId, Reservation> reservations = new LinkedHashMap<>();

  /**
   * Entries that a probe found and its operation has not decided about.
   *
   * @param kept whether it waits for its client's receipt: for others they are as good as taken
   */
  private record Reservation(List<Stored> entries, Participation transaction, boolean kept) {}

  Bucket(Context context, BucketKey key, int number) {
    this.context = context;
    this.key = key;
    this.number = number;
    this.home = new EntryHome(context.cell, number).toString();
    this.free = new Postings<>(stored -> stored.entry, context.seed);
    this.waiters = new Waiters(context, this);
    this.watches = new Watches(context, key);
  }

  /** Its place among the buckets of the cell, from 0. */
  int number() {
    return number;
  }

  BucketKey key() {
    return key;
  }

  Watches watches() {
    return watches;
  }

  Waiters waiters() {
    return waiters;
  }

  // Writing and leases.

  List<Reply.Granted> put(Message.Put put, Participation by) {
    List<Reply.Granted> leases = new ArrayList<>(put.entries().size());
    List<Stored> written = new ArrayList<>(put.entries().size());
    for (int i = 0; i < put.entries().size(); i++) {
      Stored stored =
          new Stored(
              context.number(),
              unusedLease(),
              put.entries().get(i),
              this,
              by == null ? 0 : by.transaction);
      byLease.put(stored.lease, stored);
      long millis = lease(stored, put.leaseMillis().get(i));
      leases.add(new Reply.Granted(new LeaseId(LeaseId.Kind.ENTRY, home, stored.lease), millis));
      written.add(stored);
    }
    for (Stored stored : written) {
      if (by == null) {
        appears(stored, Appearance.WRITTEN);
      } else {
        hidden.put(stored.number, stored);
        by.written.put(stored.number, stored);
        watches.writtenUnder(by.transaction, stored);
        waiters.serve(stored);
      }
    }
    return leases;
  }

  private Long unusedLease() {
    Long lease;
    do {
      lease = context.ids.secret();
    } while (byLease.containsKey(lease));
    return lease;
  }

  /** Starts the lease anew and returns what was granted. */
  private long lease(Stored stored, long millis) {
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

  /**
   * Which of the digests its entries name, those included that somebody has taken and may give
   * back.
   */
  void addNamed(Set<String> digests, Set<String> found) {
    for (Stored stored : byLease.values()) {
      for (String named : NamedDigests.of(stored.entry)) {
        if (digests.contains(named)) {
          found.add(named);
        }
      }
    }
  }

  /** Every lease starts anew. */
  void restartLeases() {
    for (Stored stored : byLease.values()) {
      if (!stored.expired) {
        start(stored, stored.leaseMillis);
      }
    }
  }

  /** Leases of an hour or more go on where they would be, but last an hour; others start anew. */
  void goOnWithLeases(long awayMillis) {
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
  void dropAll() {
    for (Stored stored : List.copyOf(byLease.values())) {
      if (!stored.expired) {
        context.deadlines.cancel(stored.expiry);
        expire(stored);
      }
    }
  }

  /** Renews the lease of an entry; empty if it is not here any more. */
  java.util.OptionalLong renew(long lease, long millis) {
    Stored stored = byLease.get(lease);
    return stored == null || stored.expired
        ? java.util.OptionalLong.empty()
        : java.util.OptionalLong.of(lease(stored, millis));
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

  private void expire(Stored stored) {
    stored.expiry = null;
    if (stored.taker != 0 || stored.reservedBy != null) {
      stored.expired = true;
    } else {
      remove(stored);
      waiters.reconsiderExisting();
    }
  }

  // Looking.

  void probe(Message.Probe probe, Participation by) {
    if (tryOffer(probe, by)) {
      return;
    }
    if (probe.waits()) {
      boolean locked = probe.mode().ifExists() && isLocked(probe);
      waiters.add(probe, by, locked);
      context.send(probe.id().cell(), new Message.Nothing(probe.id(), locked));
    } else if (probe.patient() && isInDoubt(probe)) {
      waiters.add(probe, by, false);
    } else {
      boolean locked = probe.mode().ifExists() && isLocked(probe);
      context.send(probe.id().cell(), new Message.Nothing(probe.id(), locked));
    }
  }

  /** Offers what is there now; false if nothing is. */
  boolean tryOffer(Message.Probe probe, Participation by) {
    Collection<Stored> found = find(probe, by);
    if (found.isEmpty()) {
      return false;
    }
    offer(probe, by, List.copyOf(found));
    return true;
  }

  void offer(Message.Probe probe, Participation by, List<Stored> found) {
    if (probe.mode().takes()) {
      reserve(probe.id(), found, by);
    } else if (by != null) {
      found.forEach(stored -> lockRead(stored, by));
    }
    List<EncodedEntry> entries = found.stream().map(stored -> stored.entry).toList();
    context.send(probe.id().cell(), new Message.Offer(probe.id(), entries));
  }

  private void lockRead(Stored stored, Participation by) {
    if (stored.writer != by.transaction && stored.addReader(by.transaction)) {
      by.read.put(stored.number, stored);
    }
  }

  private void reserve(ProbeId probe, List<Stored> found, Participation by) {
    for (Stored stored : found) {
      stored.reservedBy = probe;
      free.remove(stored.number);
      hidden.put(stored.number, stored);
    }
    reservations.put(probe, new Reservation(found, by, false));
    if (by != null) {
      by.reservations++;
      by.probes.put(probe, this);
    }
  }

  private Collection<Stored> find(Message.Probe probe, Participation by) {
    Map<Long, Stored> found = new LinkedHashMap<>(4);
    for (EncodedEntry template : probe.templates()) {
      if (key.type().canMatch(template.type())) {
        if (by != null) {
          collect(by.written.values(), template, probe, by, found);
        }
        collect(free.candidates(template).values(), template, probe, by, found);
      }
    }
    return found.values();
  }

  private void collect(
      Collection<Stored> candidates,
      EncodedEntry template,
      Message.Probe probe,
      Participation by,
      Map<Long, Stored> found) {
    long bytes = found.values().stream().mapToLong(s -> s.entry.sizeBytes()).sum();
    for (Stored stored : candidates) {
      if (found.size() >= probe.limit() || bytes >= Limits.ANSWER_BYTES) {
        return;
      }
      if (stored.bucket == this
          && isEligible(stored, probe, by)
          && template.matches(stored.entry)
          && found.put(stored.number, stored) == null) {
        bytes += stored.entry.sizeBytes();
      }
    }
  }

  boolean isEligible(Stored stored, Message.Probe probe, Participation by) {
    long transaction = by == null ? 0 : by.transaction;
    return probe.mode().takes()
        ? stored.isTakeableBy(transaction)
        : stored.isVisibleTo(transaction);
  }

  /** Whether an entry matches that is locked against the probe. */
  boolean isLocked(Message.Probe probe) {
    for (EncodedEntry template : probe.templates()) {
      if (key.type().canMatch(template.type())
          && (anyMatches(hidden.values(), template, probe)
              || (probe.mode().takes()
                  && anyMatches(free.candidates(template).values(), template, probe)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean anyMatches(
      Collection<Stored> candidates, EncodedEntry template, Message.Probe probe) {
    for (Stored stored : candidates) {
      boolean ownTake = stored.taker != 0 && stored.taker == probe.transaction();
      if (!ownTake && !stored.expired && template.matches(stored.entry)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether an entry matches about which somebody is deciding right now: the transaction that wrote
   * it is being committed, or it was offered to an operation that has not said whether it wants it.
   */
  private boolean isInDoubt(Message.Probe probe) {
    return isOffered(probe) || isBeingCommitted(probe);
  }

  private boolean isOffered(Message.Probe probe) {
    return reservations.values().stream()
        .filter(reservation -> !reservation.kept())
        .flatMap(reservation -> reservation.entries().stream())
        .anyMatch(stored -> matchesAny(probe, stored));
  }

  private static boolean matchesAny(Message.Probe probe, Stored stored) {
    return probe.templates().stream().anyMatch(template -> template.matches(stored.entry));
  }

  private boolean isBeingCommitted(Message.Probe probe) {
    return context.prepared.stream()
        .filter(p -> p.transaction != probe.transaction())
        .flatMap(p -> p.written.values().stream())
        .anyMatch(stored -> stored.bucket == this && !stored.expired && matchesAny(probe, stored));
  }

  /** Entries after a number, oldest first, read under the transaction if there is one. */
  Message.Listing page(Message.Page page, Participation by) {
    TreeMap<Long, Stored> found = new TreeMap<>();
    for (EncodedEntry template : page.templates()) {
      if (key.type().canMatch(template.type())) {
        if (by != null) {
          by.written.values().stream()
              .filter(s -> s.bucket == this && s.number > page.after())
              .filter(s -> s.isVisibleTo(by.transaction) && template.matches(s.entry))
              .forEach(s -> found.put(s.number, s));
        }
        free.candidates(template).tailMap(page.after(), false).values().stream()
            .filter(s -> template.matches(s.entry))
            .limit(page.limit() + 1L)
            .forEach(s -> found.put(s.number, s));
      }
    }
    List<Stored> chosen = new ArrayList<>();
    long bytes = 0;
    for (Stored each : found.values()) {
      if (chosen.size() >= page.limit() || bytes >= Limits.ANSWER_BYTES) {
        break;
      }
      chosen.add(each);
      bytes += each.entry.sizeBytes();
    }
    if (by != null) {
      chosen.forEach(stored -> lockRead(stored, by));
    }
    long last = chosen.isEmpty() ? page.after() : chosen.get(chosen.size() - 1).number;
    return new Message.Listing(
        page.id(),
        chosen.stream().map(stored -> stored.entry).toList(),
        last,
        found.size() > chosen.size());
  }

  // Deciding about a probe.

  /** What the probe found stays reserved for longer than a few messages. */
  void keep(ProbeId probe) {
    Reservation reservation = reservations.get(probe);
    if (reservation != null) {
      reservations.put(
          probe, new Reservation(reservation.entries(), reservation.transaction(), true));
      waiters.reconsiderInDoubt();
    }
  }

  /** Ends the probe; returns the transaction that had a reservation by it, or null. */
  Participation settle(ProbeId probe, boolean accepted) {
    waiters.remove(probe);
    Reservation reservation = reservations.remove(probe);
    if (reservation == null) {
      return null;
    }
    Participation by = reservation.transaction();
    for (Stored stored : reservation.entries()) {
      stored.reservedBy = null;
      if (!accepted) {
        comesBack(stored, reservation.kept());
      } else if (by == null) {
        remove(stored);
      } else if (stored.writer == by.transaction) {
        by.written.remove(stored.number);
        remove(stored);
      } else {
        stored.taker = by.transaction;
        by.taken.put(stored.number, stored);
      }
    }
    if (by != null) {
      by.reservations--;
      by.probes.remove(probe);
    }
    waiters.reconsiderInDoubt();
    waiters.reconsiderExisting();
    return by;
  }

  /** A reservation ended without effect. */
  private void comesBack(Stored stored, boolean kept) {
    if (stored.expired) {
      remove(stored);
    } else if (kept) {
      appears(stored, Appearance.RETURNED);
    } else if (stored.writer == 0) {
      hidden.remove(stored.number);
      free.add(stored.number, stored);
      waiters.serve(stored);
    } else {
      waiters.serve(stored);
    }
  }

  // The end of a transaction, entry by entry.

  void keepWritten(Stored stored) {
    if (!stored.expired) {
      stored.writer = 0;
      appears(stored, Appearance.WRITTEN);
    }
  }

  void dropWritten(Stored stored) {
    remove(stored);
  }

  void dropTaken(Stored stored) {
    remove(stored);
  }

  void returnTaken(Stored stored) {
    stored.taker = 0;
    if (stored.expired) {
      remove(stored);
    } else {
      appears(stored, Appearance.RETURNED);
    }
  }

  void unlockRead(Stored stored, long transaction) {
    stored.removeReader(transaction);
    if (stored.isHidden() || !byLease.containsKey(stored.lease)) {
      return;
    }
    if (!stored.hasReaders()) {
      watches.appeared(stored, Appearance.RELEASED);
    }
    // Even now that one reader is left: it may be the one that waits to take it.
    waiters.serve(stored);
  }

  private void appears(Stored stored, Appearance how) {
    hidden.remove(stored.number);
    free.add(stored.number, stored);
    watches.appeared(stored, how);
    waiters.serve(stored);
  }

  private void remove(Stored stored) {
    if (stored.expiry != null) {
      context.deadlines.cancel(stored.expiry);
      stored.expiry = null;
    }
    byLease.remove(stored.lease);
    hidden.remove(stored.number);
    free.remove(stored.number);
    stored.expired = true;
  }

  Census census() {
    return new Census(hidden.size(), reservations.size(), waiters.size(), 0, 0, 0, 0, 0, 0, 0);
  }

  /** The entry with the number, or what stands for one that is gone. */
  Stored stored(long number) {
    Stored here = hidden.get(number);
    if (here == null) {
      here = free.get(number);
    }
    return here == null ? Stored.gone(number, this) : here;
  }

  void saveEntries(StateWriter to) {
    to.list(byLease.values(), (w, stored) -> stored.save(w));
    to.list(hidden.keySet(), StateWriter::count);
  }

  void loadEntries(StateReader from) {
    Map<Long, Stored> byNumber = new LinkedHashMap<>();
    for (int rest = from.size(); rest > 0; rest--) {
      Stored stored = Stored.load(from, this);
      byLease.put(stored.lease, stored);
      if (stored.expiry != null) {
        context.deadlines.restore(stored.expiry, () -> expire(stored));
      }
      if (stored.isHidden()) {
        byNumber.put(stored.number, stored);
      } else {
        free.add(stored.number, stored);
      }
    }
    from.list(StateReader::count).forEach(number -> hidden.put(number, byNumber.get(number)));
  }

  /** Who looks for entries here; transactions must be known. */
  void saveProbes(StateWriter to) {
    to.count(reservations.size());
    reservations.forEach(
        (probe, reservation) -> {
          to.probe(probe);
          to.list(reservation.entries(), (w, stored) -> w.count(stored.number));
          to.transaction(reservation.transaction());
          to.flag(reservation.kept());
        });
    waiters.save(to);
    watches.save(to);
  }

  void loadProbes(StateReader from, Participants participants) {
    for (int rest = from.size(); rest > 0; rest--) {
      reservations.put(
          from.probe(),
          new Reservation(
              from.list(r -> stored(r.count())), participants.of(from.number()), from.flag()));
    }
    waiters.load(from, participants);
    watches.load(from);
  }
}
