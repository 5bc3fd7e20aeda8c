package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.NamedDigests;
import io.gleaner.matching.Postings;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entries of one class and shard; for one thread. What can be read lies in posting lists; what
 * a transaction or a probe hides lies beside them and costs a search nothing.
 */
final class Bucket {
  private final Context context;
  private final BucketKey key;
  private final int number;
  private final EntryLeases leases;
  private final Postings<Stored> hidden;
  private final Postings<Stored> free;
  private final Search search;
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
    this.leases = new EntryLeases(context, this);
    this.hidden = new Postings<>(stored -> stored.entry, context.seed);
    this.free = new Postings<>(stored -> stored.entry, context.seed);
    this.search = new Search(context, this, free, hidden);
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

  Search search() {
    return search;
  }

  Waiters waiters() {
    return waiters;
  }

  EntryLeases leases() {
    return leases;
  }

  List<Reply.Granted> put(Message.Put put, Participation by) {
    List<Reply.Granted> granted = new ArrayList<>(put.entries().size());
    List<Stored> written = new ArrayList<>(put.entries().size());
    for (int i = 0; i < put.entries().size(); i++) {
      Stored stored =
          new Stored(
              context.number(),
              leases.unused(),
              put.entries().get(i),
              this,
              by == null ? 0 : by.transaction);
      granted.add(leases.grant(stored, put.leaseMillis().get(i)));
      written.add(stored);
    }
    for (Stored stored : written) {
      if (by == null) {
        appears(stored, Appearance.WRITTEN);
      } else {
        hidden.add(stored.number, stored);
        by.written.put(stored.number, stored);
        watches.writtenUnder(by.transaction, stored);
        waiters.serve(stored);
      }
    }
    return granted;
  }

  /**
   * Which of the digests its entries name, those included that somebody has taken and may give
   * back.
   */
  void addNamed(Set<String> digests, Set<String> found) {
    for (Stored stored : leases.entries()) {
      for (String named : NamedDigests.of(stored.entry)) {
        if (digests.contains(named)) {
          found.add(named);
        }
      }
    }
  }

  /** Its lease has ended. */
  void expired(Stored stored) {
    if (stored.taker != 0 || stored.reservedBy != null) {
      stored.expired = true;
      waiters.lockGone(stored);
    } else {
      remove(stored);
    }
    waiters.reconsiderExisting();
  }

  void probe(Message.Probe probe, Participation by) {
    if (tryOffer(probe, by)) {
      return;
    }
    if (probe.waits()) {
      Stored locked = probe.mode().ifExists() ? search.locked(probe) : null;
      waiters.add(probe, by, locked);
      context.send(probe.id().cell(), new Message.Nothing(probe.id(), locked != null));
    } else if (probe.patient() && isInDoubt(probe)) {
      waiters.add(probe, by, null);
    } else {
      context.send(probe.id().cell(), new Message.Nothing(probe.id(), isLocked(probe)));
    }
  }

  /** Whether it has entries, in whatever state. */
  boolean isInUse() {
    return !leases.entries().isEmpty();
  }

  /** Whether something is there for the probe, or somebody is deciding about something. */
  boolean isPromising(Message.Probe probe, Participation by) {
    return !search.find(probe, by).isEmpty() || isInDoubt(probe);
  }

  /** Whether a match is locked and the probe wants to know that. */
  boolean isLocked(Message.Probe probe) {
    return probe.mode().ifExists() && search.locked(probe) != null;
  }

  /** Offers what is there now; false if nothing is. */
  boolean tryOffer(Message.Probe probe, Participation by) {
    Collection<Stored> found = search.find(probe, by);
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
      hidden.add(stored.number, stored);
    }
    reservations.put(probe, new Reservation(found, by, false));
    if (by != null) {
      by.reservations++;
      by.probes.put(probe, this);
    }
  }

  /**
   * Whether an entry matches about which somebody is deciding right now: the transaction that wrote
   * it is being committed, or it was offered to an operation that has not said whether it wants it.
   */
  private boolean isInDoubt(Message.Probe probe) {
    return isOffered(probe) || search.isBeingCommitted(probe);
  }

  private boolean isOffered(Message.Probe probe) {
    return reservations.values().stream()
        .filter(reservation -> !reservation.kept())
        .flatMap(reservation -> reservation.entries().stream())
        .anyMatch(stored -> Search.matchesAny(probe, stored));
  }

  /** Entries after a number, oldest first, read under the transaction if there is one. */
  Message.Listing page(Message.Page page, Participation by) {
    Search.Found found = search.page(page, by);
    if (by != null) {
      found.entries().forEach(stored -> lockRead(stored, by));
    }
    return found.listing(page);
  }

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
        waiters.lockGone(stored);
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
    if (stored.isHidden() || !leases.has(stored)) {
      return;
    }
    if (!stored.hasReaders()) {
      watches.appeared(stored, Appearance.RELEASED);
    } else {
      stored.onlyReader().ifPresent(reader -> watches.leftTo(reader, stored));
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
    leases.end(stored);
    hidden.remove(stored.number);
    free.remove(stored.number);
    stored.expired = true;
    waiters.lockGone(stored);
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
    to.list(leases.entries(), (w, stored) -> stored.save(w));
    to.list(hidden.numbers(), StateWriter::count);
  }

  void loadEntries(StateReader from) {
    Map<Long, Stored> byNumber = new LinkedHashMap<>();
    for (int rest = from.size(); rest > 0; rest--) {
      Stored stored = Stored.load(from, this);
      leases.restore(stored);
      if (stored.isHidden()) {
        byNumber.put(stored.number, stored);
      } else {
        free.add(stored.number, stored);
      }
    }
    from.list(StateReader::count).forEach(number -> hidden.add(number, byNumber.get(number)));
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
