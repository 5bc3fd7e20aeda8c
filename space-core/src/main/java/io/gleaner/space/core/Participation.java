package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one transaction has done in one cell; for one thread. */
final class Participation {

  enum State {
    JOINING,
    ACTIVE,
    PREPARED
  }

  final long transaction;

  /** Tells this try to join from an earlier one whose answer is late. */
  final long attempt;

  State state = State.JOINING;

  /** What waits until it has joined, or until a reservation is settled. */
  final List<Step> delayed = new ArrayList<>();

  /** Something that is done within a transaction or refused. */
  interface Step {
    void within(Participation by);

    void refused(Reply.Refused refusal);

    void saveReference(StateWriter to);
  }

  final Map<Long, Stored> written = new LinkedHashMap<>();
  final Map<Long, Stored> taken = new LinkedHashMap<>();
  final Map<Long, Stored> read = new LinkedHashMap<>();

  /** The numbers of what it took and has spent, and by which question. */
  final Map<Long, ProbeId> spent = new LinkedHashMap<>();

  /** Probes of this transaction that wait or hold a reservation, and where. */
  final Map<ProbeId, Bucket> probes = new LinkedHashMap<>();

  /** Registrations that end with it. */
  final List<Long> registrations = new ArrayList<>();

  /** Reservations that must be settled before it can prepare; any may become something taken. */
  int reservations;

  /** When it asks its coordinator how it ended. */
  Deadlines.Handle asking;

  /** The question to prepare that waits for them, or null. */
  Message.Prepare asked;

  Participation(long transaction, long attempt) {
    this.transaction = transaction;
    this.attempt = attempt;
  }

  /** Spends all of it for that question, or nothing. */
  boolean spend(Message.Spend spend) {
    for (Command.Spend each : spend.entries()) {
      var free =
          taken.values().stream()
              .filter(stored -> stored.bucket.key().equals(spend.bucket()))
              .filter(stored -> !spent.containsKey(stored.number) && each.isOf(stored.entry))
              .findFirst();
      if (free.isEmpty()) {
        unspend(spend.id());
        return false;
      }
      spent.put(free.get().number, spend.id());
    }
    return true;
  }

  void unspend(ProbeId id) {
    spent.values().removeIf(id::equals);
  }

  /** The buckets in which it holds entries. */
  Set<Bucket> buckets() {
    Set<Bucket> buckets = new LinkedHashSet<>();
    for (var held : List.of(written, taken, read)) {
      held.values().forEach(stored -> buckets.add(stored.bucket));
    }
    return buckets;
  }
}
