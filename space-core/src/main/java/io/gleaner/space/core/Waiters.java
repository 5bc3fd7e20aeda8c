package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.Seekers;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The probes that wait in a bucket; an entry goes to the one that has waited longest. */
final class Waiters {
  private final Context context;
  private final Bucket bucket;
  private final Map<ProbeId, Waiter> waiting = new LinkedHashMap<>();
  private final Seekers<Waiter> seekers;

  /** Those who wait only until somebody has decided about an entry. */
  private final Map<ProbeId, Waiter> inDoubt = new LinkedHashMap<>();

  /** Those who wait because of a lock, by the number of the entry. */
  private final Map<Long, Set<Waiter>> byLock = new LinkedHashMap<>();

  /** Those whose lock is gone, by their places, until it is looked whether there is another. */
  private final NavigableMap<Long, Waiter> unsure = new TreeMap<>();

  private long places;
  private long looks;

  Waiters(Context context, Bucket bucket) {
    this.context = context;
    this.bucket = bucket;
    this.seekers = new Seekers<>(context.seed);
  }

  /**
   * Lets a probe wait.
   *
   * @param lock an entry that matches and is locked, or null; who asks for entries that exist gives
   *     up once there is none in any bucket
   */
  void add(Message.Probe probe, Participation by, Stored lock) {
    Waiter waiter = new Waiter(++places, probe, by);
    came(waiter);
    if (lock != null) {
      hopesFor(waiter, lock);
    }
    if (by != null) {
      by.probes.put(probe.id(), bucket);
    }
  }

  private void came(Waiter waiter) {
    waiting.put(waiter.probe.id(), waiter);
    for (EncodedEntry template : waiter.probe.templates()) {
      if (isOfThisClass(template)) {
        seekers.add(template, waiter.place, waiter);
      }
    }
    if (!waiter.probe.waits()) {
      inDoubt.put(waiter.probe.id(), waiter);
    }
  }

  private void hopesFor(Waiter waiter, Stored lock) {
    waiter.lock = lock;
    byLock.computeIfAbsent(lock.number, number -> new LinkedHashSet<>()).add(waiter);
  }

  void remove(ProbeId probe) {
    Waiter waiter = waiting.remove(probe);
    if (waiter != null) {
      left(waiter);
    }
  }

  private boolean isOfThisClass(EncodedEntry template) {
    return bucket.key().type().canMatch(template.type());
  }

  private void left(Waiter waiter) {
    waiter.probe.templates().forEach(template -> seekers.remove(template, waiter.place));
    inDoubt.remove(waiter.probe.id());
    unsure.remove(waiter.place);
    if (waiter.lock != null) {
      byLock.computeIfPresent(
          waiter.lock.number,
          (number, hoping) -> hoping.remove(waiter) && hoping.isEmpty() ? null : hoping);
    }
    if (waiter.transaction != null) {
      waiter.transaction.probes.remove(waiter.probe.id());
    }
  }

  /** Its transaction is ending: it will not find anything any more. */
  void refuse(ProbeId probe, Reply.Refused refusal) {
    if (waiting.containsKey(probe)) {
      remove(probe);
      context.send(probe.cell(), new Message.ProbeRefused(probe, refusal));
    }
  }

  /** Offers an entry to those who wait for it: to readers until somebody takes it. */
  void serve(Stored stored) {
    for (var each = seekers.of(stored.entry); each.hasNext(); ) {
      Waiter waiter = each.next();
      looks++;
      if (Search.isEligible(stored, waiter.probe, waiter.transaction)
          && matches(waiter.probe, stored)) {
        remove(waiter.probe.id());
        bucket.offer(waiter.probe, waiter.transaction, List.of(stored));
        if (waiter.probe.mode().takes()) {
          return;
        }
      }
    }
  }

  private boolean matches(Message.Probe probe, Stored stored) {
    for (EncodedEntry template : probe.templates()) {
      if (isOfThisClass(template) && template.matches(stored.entry)) {
        return true;
      }
    }
    return false;
  }

  /** Nobody can wait for that entry any more; {@link #reconsiderExisting} must follow. */
  void lockGone(Stored stored) {
    Set<Waiter> hoping = byLock.remove(stored.number);
    if (hoping != null) {
      hoping.forEach(waiter -> unsure.put(waiter.place, waiter));
    }
  }

  /** Whoever waits because of a lock that is gone may have no other one to wait for. */
  void reconsiderExisting() {
    for (var next = unsure.pollFirstEntry(); next != null; next = unsure.pollFirstEntry()) {
      Waiter waiter = next.getValue();
      looks++;
      waiter.lock = null;
      Stored another = bucket.search().locked(waiter.probe);
      if (another == null) {
        ProbeId id = waiter.probe.id();
        context.send(id.cell(), new Message.Nothing(id, false));
      } else {
        hopesFor(waiter, another);
      }
    }
  }

  /** Somebody has decided about an entry: whoever waited for that looks again. */
  void reconsiderInDoubt() {
    for (Waiter waiter : new ArrayList<>(inDoubt.values())) {
      ProbeId id = waiter.probe.id();
      if (inDoubt.get(id) == waiter) {
        remove(id);
        bucket.probe(waiter.probe, waiter.transaction);
      }
    }
  }

  /** How often it has looked at somebody who waits. */
  long looks() {
    return looks;
  }

  int size() {
    return waiting.size();
  }

  void save(StateWriter to) {
    to.list(
        waiting.values(),
        (w, waiter) -> {
          MessageCodec.write(w, waiter.probe);
          w.transaction(waiter.transaction);
          w.count(waiter.lock == null ? 0 : waiter.lock.number);
        });
  }

  void load(StateReader from, Participants participants) {
    for (int rest = from.size(); rest > 0; rest--) {
      Message.Probe probe = (Message.Probe) MessageCodec.read(from);
      Waiter waiter = new Waiter(++places, probe, participants.of(from.number()));
      came(waiter);
      long lock = from.count();
      if (lock != 0) {
        hopesFor(waiter, bucket.stored(lock));
      }
    }
  }
}
