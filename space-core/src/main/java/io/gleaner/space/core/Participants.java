package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * This cell's part in transactions: joining before the first operation, preparing, and carrying out
 * what the coordinator decided. It never ends a transaction on its own; it asks.
 */
final class Participants {
  static final Reply.Refused UNKNOWN =
      new Reply.Refused(
          Reply.Refusal.UNKNOWN_TRANSACTION,
          "the transaction is not active: it ended, or its lease ran out; begin a new one");

  private static final long ASK_AFTER_MILLIS = 30_000;

  private final Context context;
  private final Map<Long, Participation> joined = new LinkedHashMap<>();
  private Consumer<Long> registrationOver = number -> {};

  Participants(Context context) {
    this.context = context;
  }

  /** Does the step with this cell's part in the transaction, null for none; or it is over. */
  void within(long transaction, Participation.Step step) {
    if (transaction == 0) {
      step.within(null);
      return;
    }
    Participation part = joined.get(transaction);
    if (part == null) {
      part = join(transaction);
    }
    if (part == null || part.state == Participation.State.PREPARED) {
      step.refused(UNKNOWN);
    } else if (part.state == Participation.State.ACTIVE) {
      step.within(part);
    } else {
      part.delayed.add(step);
    }
  }

  private Participation join(long transaction) {
    int coordinator = Ids.cellOf(transaction);
    if (transaction < 0 || coordinator >= context.cells) {
      return null;
    }
    Participation part = new Participation(transaction, context.number());
    joined.put(transaction, part);
    context.send(coordinator, new Message.Join(transaction, context.cell, part.attempt));
    return part;
  }

  void on(Message.Joined message) {
    Participation part = joined.get(message.transaction());
    if (part == null
        || part.attempt != message.attempt()
        || part.state != Participation.State.JOINING) {
      return;
    }
    if (!message.active()) {
      joined.remove(part.transaction);
      refuseJoining(part);
      return;
    }
    part.state = Participation.State.ACTIVE;
    askLater(part);
    doDelayed(part);
  }

  private static void doDelayed(Participation part) {
    List<Participation.Step> then = List.copyOf(part.delayed);
    part.delayed.clear();
    then.forEach(step -> step.within(part));
  }

  /** Who ends the registrations that were made under a transaction. */
  void onRegistrationOver(Consumer<Long> ends) {
    registrationOver = ends;
  }

  private void askLater(Participation part) {
    part.asking =
        context.deadlines.add(
            Deadlines.after(context.now(), ASK_AFTER_MILLIS), () -> askOutcome(part));
  }

  private void askOutcome(Participation part) {
    int coordinator = Ids.cellOf(part.transaction);
    // Whoever does not even read its letters would only find one more.
    if (!context.letters.isWaitingFor(coordinator)) {
      context.send(coordinator, new Message.AskOutcome(part.transaction, context.cell));
    }
    askLater(part);
  }

  private static void refuseJoining(Participation part) {
    List<Participation.Step> refused = List.copyOf(part.delayed);
    part.delayed.clear();
    refused.forEach(step -> step.refused(UNKNOWN));
  }

  void on(Message.Prepare message) {
    Participation part = joined.get(message.transaction());
    if (part == null) {
      vote(message, false);
      return;
    }
    refuseJoining(part);
    refuseWaiting(part);
    part.asked = message;
    part.state = Participation.State.PREPARED;
    reservationsChanged(part);
  }

  /** Does what waited for that, and votes once no reservation is open any more. */
  void reservationsChanged(Participation part) {
    if (part == null) {
      return;
    }
    doDelayed(part);
    if (part.asked == null || part.reservations > 0) {
      return;
    }
    Message.Prepare asked = part.asked;
    part.asked = null;
    if (asked.only()) {
      commit(part);
    } else if (!asked.lasting()) {
      context.prepared.add(part);
    }
    vote(asked, true);
  }

  private void vote(Message.Prepare message, boolean prepared) {
    context.send(
        Ids.cellOf(message.transaction()),
        new Message.Voted(message.transaction(), context.cell, prepared));
  }

  void on(Message.End message) {
    Participation part = joined.get(message.transaction());
    if (part != null) {
      refuseJoining(part);
      refuseWaiting(part);
      if (message.committed()) {
        commit(part);
      } else {
        abort(part);
      }
    }
    context.send(
        Ids.cellOf(message.transaction()), new Message.Ended(message.transaction(), context.cell));
  }

  private static void refuseWaiting(Participation part) {
    new LinkedHashMap<>(part.probes)
        .forEach((probe, bucket) -> bucket.waiters().refuse(probe, UNKNOWN));
  }

  private void commit(Participation part) {
    over(part);
    part.taken.values().forEach(stored -> stored.bucket.dropTaken(stored));
    part.written.values().forEach(stored -> stored.bucket.keepWritten(stored));
    part.read.values().forEach(stored -> stored.bucket.unlockRead(stored, part.transaction));
    lookAgain(part);
  }

  private void abort(Participation part) {
    over(part);
    new LinkedHashMap<>(part.probes).forEach((probe, bucket) -> bucket.settle(probe, false));
    part.written.values().forEach(stored -> stored.bucket.dropWritten(stored));
    // What it had also read comes back without that lock: it becomes available once.
    part.read.values().forEach(stored -> stored.bucket.unlockRead(stored, part.transaction));
    part.taken.values().forEach(stored -> stored.bucket.returnTaken(stored));
    lookAgain(part);
  }

  private void over(Participation part) {
    joined.remove(part.transaction);
    if (part.asking != null) {
      context.deadlines.cancel(part.asking);
    }
    context.prepared.remove(part);
    part.registrations.forEach(registrationOver);
  }

  private static void lookAgain(Participation part) {
    part.buckets()
        .forEach(
            bucket -> {
              bucket.waiters().reconsiderInDoubt();
              bucket.waiters().reconsiderExisting();
            });
  }

  int size() {
    return joined.size();
  }

  /** The part of the transaction, if it has one here; joins nothing. */
  Optional<Participation> known(long transaction) {
    return Optional.ofNullable(joined.get(transaction));
  }

  Participation of(long transaction) {
    return joined.get(transaction);
  }

  void save(StateWriter to) {
    to.list(joined.values(), Participants::save);
    to.list(context.prepared, (w, part) -> w.number(part.transaction));
  }

  private static void save(StateWriter to, Participation part) {
    to.number(part.transaction);
    to.count(part.attempt);
    to.text(part.state.name());
    to.list(part.delayed, (w, step) -> step.saveReference(w));
    to.list(part.written.values(), StateWriter::stored);
    to.list(part.taken.values(), StateWriter::stored);
    to.list(part.read.values(), StateWriter::stored);
    to.count(part.probes.size());
    part.probes.forEach(
        (probe, bucket) -> {
          to.probe(probe);
          to.count(bucket.number());
        });
    to.count(part.spent.size());
    part.spent.forEach(
        (number, probe) -> {
          to.count(number);
          to.probe(probe);
        });
    to.list(part.registrations, StateWriter::number);
    to.handle(part.asking);
    to.flag(part.asked != null);
    if (part.asked != null) {
      MessageCodec.write(to, part.asked);
    }
    to.count(part.reservations);
  }

  void load(StateReader from, Buckets buckets, Function<StateReader, Participation.Step> steps) {
    for (int rest = from.size(); rest > 0; rest--) {
      Participation part = new Participation(from.number(), from.count());
      joined.put(part.transaction, part);
      part.state = Participation.State.valueOf(from.text());
      part.delayed.addAll(from.list(steps));
      from.list(buckets::stored).forEach(stored -> part.written.put(stored.number, stored));
      from.list(buckets::stored).forEach(stored -> part.taken.put(stored.number, stored));
      from.list(buckets::stored).forEach(stored -> part.read.put(stored.number, stored));
      for (int probes = from.size(); probes > 0; probes--) {
        part.probes.put(from.probe(), buckets.numbered(from.size()));
      }
      for (int spent = from.size(); spent > 0; spent--) {
        part.spent.put(from.count(), from.probe());
      }
      part.registrations.addAll(from.list(StateReader::number));
      part.asking = from.handle();
      if (part.asking != null) {
        context.deadlines.restore(part.asking, () -> askOutcome(part));
      }
      part.asked = from.flag() ? (Message.Prepare) MessageCodec.read(from) : null;
      part.reservations = from.size();
    }
    from.list(StateReader::number).forEach(number -> context.prepared.add(joined.get(number)));
  }
}
