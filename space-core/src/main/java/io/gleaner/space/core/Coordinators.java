package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import io.gleaner.transaction.Coordinator;
import io.gleaner.transaction.TransactionPhase;
import io.gleaner.transaction.TransactionPhase.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The transactions that began in this cell, which alone decides how they end. */
final class Coordinators {
  private final Context context;
  private final Map<Long, Held> transactions = new HashMap<>();

  /** A coordinator with its lease and those who wait for the end. */
  private static final class Held {
    final Coordinator coordinator;
    final List<Consumer<TransactionPhase>> onceOver = new ArrayList<>();
    Deadlines.Handle expiry;

    Held(Coordinator coordinator) {
      this.coordinator = coordinator;
    }
  }

  Coordinators(Context context) {
    this.context = context;
  }

  /** Begins one without a lease, for an operation that ends it itself unless its session ends. */
  long beginOwn(long session) {
    long transaction = context.ids.next();
    transactions.put(transaction, new Held(new Coordinator(session)));
    return transaction;
  }

  Reply.Began begin(long session, long leaseMillis) {
    long transaction = beginOwn(session);
    long granted = lease(transaction, transactions.get(transaction), leaseMillis);
    LeaseId lease =
        new LeaseId(LeaseId.Kind.TRANSACTION, String.valueOf(context.cell), transaction);
    return new Reply.Began(transaction, new Reply.Granted(lease, granted));
  }

  private long lease(long transaction, Held held, long millis) {
    long most = context.limits.transactionLeaseMillis();
    long granted = millis < 0 ? most : Math.min(millis, most);
    if (held.expiry != null) {
      context.deadlines.cancel(held.expiry);
    }
    held.expiry =
        context.deadlines.add(
            Deadlines.after(context.now(), granted),
            () -> end(transaction, Event.LEASE_ENDED, phase -> {}));
    return granted;
  }

  OptionalLong renew(long transaction, long millis) {
    Held held = transactions.get(transaction);
    return held == null || held.coordinator.phase() != TransactionPhase.ACTIVE
        ? OptionalLong.empty()
        : OptionalLong.of(lease(transaction, held, millis));
  }

  Optional<TransactionPhase> phase(long transaction) {
    return Optional.ofNullable(transactions.get(transaction)).map(h -> h.coordinator.phase());
  }

  /**
   * Begins the end; {@code then} hears the decision when everybody has carried it out. False if the
   * transaction is not known or cannot end like this any more.
   */
  boolean end(long transaction, Event event, Consumer<TransactionPhase> then) {
    Held held = transactions.get(transaction);
    if (held == null || !held.coordinator.on(event)) {
      return false;
    }
    if (held.expiry != null) {
      context.deadlines.cancel(held.expiry);
    }
    held.onceOver.add(then);
    if (held.coordinator.phase() == TransactionPhase.VOTING) {
      askToPrepare(transaction, held);
    } else {
      carryOut(transaction, held);
    }
    return true;
  }

  /** All transactions of a session that can still be aborted. */
  void ownerLeft(long session) {
    List<Long> owned =
        transactions.entrySet().stream()
            .filter(e -> e.getValue().coordinator.ownerSession() == session)
            .map(Map.Entry::getKey)
            .toList();
    owned.forEach(transaction -> end(transaction, Event.OWNER_LEFT, phase -> {}));
  }

  private void askToPrepare(long transaction, Held held) {
    var participants = held.coordinator.participants();
    if (participants.isEmpty()) {
      held.coordinator.on(Event.ALL_PREPARED);
      carryOut(transaction, held);
    }
    for (int cell : participants) {
      context.send(cell, new Message.Prepare(transaction, participants.size() == 1));
    }
  }

  private void carryOut(long transaction, Held held) {
    boolean committed = held.coordinator.phase() == TransactionPhase.COMMITTED;
    for (int cell : held.coordinator.participants()) {
      context.send(cell, new Message.End(transaction, committed));
    }
    forgetIfOver(transaction, held);
  }

  private void forgetIfOver(long transaction, Held held) {
    if (held.coordinator.isOver()) {
      transactions.remove(transaction);
      held.onceOver.forEach(then -> then.accept(held.coordinator.phase()));
    }
  }

  void on(Message.Join message) {
    Held held = transactions.get(message.transaction());
    boolean active = held != null && held.coordinator.join(message.from());
    context.send(
        message.from(), new Message.Joined(message.transaction(), message.attempt(), active));
  }

  void on(Message.Voted message) {
    Held held = transactions.get(message.transaction());
    if (held == null || held.coordinator.phase() != TransactionPhase.VOTING) {
      return;
    }
    if (!message.prepared()) {
      held.coordinator.on(Event.ONE_REFUSED);
      carryOut(message.transaction(), held);
    } else if (held.coordinator.prepared(message.from())) {
      held.coordinator.on(Event.ALL_PREPARED);
      if (held.coordinator.participants().size() == 1) {
        // The only participant committed when it voted.
        held.coordinator.ended(message.from());
        forgetIfOver(message.transaction(), held);
      } else {
        carryOut(message.transaction(), held);
      }
    }
  }

  void on(Message.Ended message) {
    Held held = transactions.get(message.transaction());
    if (held != null) {
      held.coordinator.ended(message.from());
      forgetIfOver(message.transaction(), held);
    }
  }

  void on(Message.AskOutcome message) {
    Held held = transactions.get(message.transaction());
    if (held == null) {
      context.send(message.from(), new Message.End(message.transaction(), false));
    } else if (held.coordinator.phase() == TransactionPhase.COMMITTED
        || held.coordinator.phase() == TransactionPhase.ABORTED) {
      boolean committed = held.coordinator.phase() == TransactionPhase.COMMITTED;
      context.send(message.from(), new Message.End(message.transaction(), committed));
    }
  }

  int size() {
    return transactions.size();
  }
}
