package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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

  Participants(Context context) {
    this.context = context;
  }

  /** Goes on with this cell's part in the transaction, null for none; or says that it is over. */
  void within(long transaction, Consumer<Participation> then, Runnable refused) {
    if (transaction == 0) {
      then.accept(null);
      return;
    }
    Participation part = joined.get(transaction);
    if (part == null) {
      part = join(transaction, refused);
      if (part == null) {
        return;
      }
    }
    switch (part.state) {
      case ACTIVE -> then.accept(part);
      case PREPARED -> refused.run();
      case JOINING -> {
        Participation joining = part;
        part.onceJoined.add(() -> then.accept(joining));
        part.onceRefused.add(refused);
      }
    }
  }

  private Participation join(long transaction, Runnable refused) {
    int coordinator = Ids.cellOf(transaction);
    if (transaction < 0 || coordinator >= context.cells) {
      refused.run();
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
    List<Runnable> then = List.copyOf(part.onceJoined);
    part.onceJoined.clear();
    part.onceRefused.clear();
    then.forEach(Runnable::run);
  }

  private void askLater(Participation part) {
    part.asking =
        context.deadlines.add(
            Deadlines.after(context.now(), ASK_AFTER_MILLIS),
            () -> {
              // Whoever does not even read its letters would only find one more.
              if (!context.letters.isWaitingFor(Ids.cellOf(part.transaction))) {
                context.send(
                    Ids.cellOf(part.transaction),
                    new Message.AskOutcome(part.transaction, context.cell));
              }
              askLater(part);
            });
  }

  private static void refuseJoining(Participation part) {
    List<Runnable> refused = List.copyOf(part.onceRefused);
    part.onceJoined.clear();
    part.onceRefused.clear();
    refused.forEach(Runnable::run);
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

  /** Votes once no reservation is open any more. */
  void reservationsChanged(Participation part) {
    if (part == null || part.asked == null || part.reservations > 0) {
      return;
    }
    Message.Prepare asked = part.asked;
    part.asked = null;
    if (asked.only()) {
      commit(part);
    } else {
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
    part.taken.values().forEach(stored -> stored.bucket.returnTaken(stored));
    part.read.values().forEach(stored -> stored.bucket.unlockRead(stored, part.transaction));
    lookAgain(part);
  }

  private void over(Participation part) {
    joined.remove(part.transaction);
    if (part.asking != null) {
      context.deadlines.cancel(part.asking);
    }
    context.prepared.remove(part);
    part.onceOver.forEach(Runnable::run);
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
}
