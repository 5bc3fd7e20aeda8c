package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The probes that wait in a bucket; an entry goes to the one that has waited longest. */
final class Waiters {
  private final Context context;
  private final Bucket bucket;
  private final Map<ProbeId, Waiter> waiting = new LinkedHashMap<>();

  /** How many wait for a lock that was there when they looked. */
  private int existing;

  /** How many wait only until somebody has decided about an entry. */
  private int inDoubt;

  private static final class Waiter {
    final Message.Probe probe;
    final Participation transaction;

    /** It has not been told yet that no lock is left that it could wait for. */
    boolean hopes;

    Waiter(Message.Probe probe, Participation transaction, boolean hopes) {
      this.probe = probe;
      this.transaction = transaction;
      this.hopes = hopes;
    }
  }

  Waiters(Context context, Bucket bucket) {
    this.context = context;
    this.bucket = bucket;
  }

  /**
   * Lets a probe wait.
   *
   * @param locked whether an entry that matches is locked; who asks for entries that exist gives up
   *     once this holds in no bucket any more
   */
  void add(Message.Probe probe, Participation by, boolean locked) {
    Waiter waiter = new Waiter(probe, by, locked && probe.mode().ifExists());
    waiting.put(probe.id(), waiter);
    count(waiter, 1);
    if (by != null) {
      by.probes.put(probe.id(), bucket);
    }
  }

  void remove(ProbeId probe) {
    Waiter waiter = waiting.remove(probe);
    if (waiter != null) {
      left(waiter);
    }
  }

  private void left(Waiter waiter) {
    count(waiter, -1);
    if (waiter.transaction != null) {
      waiter.transaction.probes.remove(waiter.probe.id());
    }
  }

  private void count(Waiter waiter, int change) {
    if (!waiter.probe.waits()) {
      inDoubt += change;
    } else if (waiter.hopes) {
      existing += change;
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
    for (Iterator<Waiter> each = waiting.values().iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (Search.isEligible(stored, waiter.probe, waiter.transaction)
          && matches(waiter.probe, stored)) {
        each.remove();
        left(waiter);
        bucket.offer(waiter.probe, waiter.transaction, List.of(stored));
        if (waiter.probe.mode().takes()) {
          return;
        }
      }
    }
  }

  private boolean matches(Message.Probe probe, Stored stored) {
    for (EncodedEntry template : probe.templates()) {
      if (bucket.key().type().canMatch(template.type()) && template.matches(stored.entry)) {
        return true;
      }
    }
    return false;
  }

  /** A lock is gone: whoever waits only because of locks may wait for nothing. */
  void reconsiderExisting() {
    if (existing == 0) {
      return;
    }
    for (Waiter waiter : new ArrayList<>(waiting.values())) {
      Message.Probe probe = waiter.probe;
      if (probe.waits() && waiter.hopes && !bucket.search().isLocked(probe)) {
        waiter.hopes = false;
        existing--;
        context.send(probe.id().cell(), new Message.Nothing(probe.id(), false));
      }
    }
  }

  /** Somebody has decided about an entry: whoever waited for that looks again. */
  void reconsiderInDoubt() {
    if (inDoubt == 0) {
      return;
    }
    for (Waiter waiter : new ArrayList<>(waiting.values())) {
      Message.Probe probe = waiter.probe;
      if (!probe.waits() && waiting.get(probe.id()) == waiter) {
        remove(probe.id());
        bucket.probe(probe, waiter.transaction);
      }
    }
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
          w.flag(waiter.hopes);
        });
  }

  void load(StateReader from, Participants participants) {
    for (int rest = from.size(); rest > 0; rest--) {
      Waiter waiter =
          new Waiter(
              (Message.Probe) MessageCodec.read(from), participants.of(from.number()), from.flag());
      waiting.put(waiter.probe.id(), waiter);
      count(waiter, 1);
    }
  }
}
