package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import io.gleaner.transaction.Coordinator;
import io.gleaner.transaction.TransactionPhase;
import io.gleaner.transaction.TransactionPhase.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import net.jini.core.transaction.server.TransactionConstants;

/** The transactions that began in this cell, which alone decides how they end. */
final class Coordinators {
  private static final long NOBODY = 0;

  private static final Reply PREPARED = new Reply.StateOf(TransactionConstants.PREPARED);

  private final Context context;
  private final Map<Long, Held> transactions = new LinkedHashMap<>();

  /** Those that stand for a transaction of another manager, in the order in which they began. */
  private final Map<ForeignName, Reply.Foreign> foreign = new LinkedHashMap<>();

  private record ForeignName(String manager, long id) {}

  /** A coordinator with its lease and those who wait for the end. */
  private static final class Held {
    final Coordinator coordinator;
    final List<Call> onceOver = new ArrayList<>();
    final List<Call> oncePrepared = new ArrayList<>();
    Deadlines.Handle expiry;
    long leaseMillis;

    Held(Coordinator coordinator) {
      this.coordinator = coordinator;
    }
  }

  /** Work that waits until a transaction is prepared or over. */
  interface Waiting extends Work {
    void over(TransactionPhase phase);

    default void prepared(Reply state) {}
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
    return grant(beginOwn(session), leaseMillis);
  }

  Reply.Began begin(Command.BeginForeign command) {
    Reply.Foreign stands =
        foreign.computeIfAbsent(
            new ForeignName(command.manager(), command.id()),
            name ->
                new Reply.Foreign(
                    command.manager(), command.proxy(), command.id(), beginOwn(NOBODY)));
    return grant(stands.transaction(), command.leaseMillis());
  }

  List<Reply.Foreign> foreign() {
    return List.copyOf(foreign.values());
  }

  private Reply.Began grant(long transaction, long leaseMillis) {
    long granted = lease(transaction, transactions.get(transaction), leaseMillis);
    LeaseId lease =
        new LeaseId(LeaseId.Kind.TRANSACTION, String.valueOf(context.cell), transaction);
    return new Reply.Began(transaction, new Reply.Granted(lease, granted));
  }

  private long lease(long transaction, Held held, long millis) {
    long granted = LeaseCaps.granted(millis, context.limits.leases().transactionMillis());
    if (held.coordinator.phase() == TransactionPhase.ACTIVE) {
      start(transaction, held, granted);
    }
    return granted;
  }

  private void start(long transaction, Held held, long granted) {
    if (held.expiry != null) {
      context.deadlines.cancel(held.expiry);
    }
    held.leaseMillis = granted;
    held.expiry =
        context.deadlines.add(
            Deadlines.after(context.now(), granted), () -> end(transaction, Event.LEASE_ENDED));
  }

  OptionalLong renew(long transaction, long millis) {
    Held held = transactions.get(transaction);
    return held == null || held.coordinator.phase() != TransactionPhase.ACTIVE
        ? OptionalLong.empty()
        : OptionalLong.of(lease(transaction, held, millis));
  }

  /** Every lease starts anew. */
  void restartLeases() {
    transactions.forEach(
        (transaction, held) -> {
          if (held.expiry != null && held.coordinator.phase() == TransactionPhase.ACTIVE) {
            start(transaction, held, held.leaseMillis);
          }
        });
  }

  Optional<TransactionPhase> phase(long transaction) {
    return Optional.ofNullable(transactions.get(transaction)).map(h -> h.coordinator.phase());
  }

  /**
   * Prepares for whoever decides; the call's work hears how it went. False if it is too late or the
   * transaction is not known.
   */
  boolean prepare(long transaction, Call call) {
    Held held = transactions.get(transaction);
    if (held == null) {
      return false;
    }
    if (held.coordinator.phase() == TransactionPhase.PREPARED) {
      waiting(call).prepared(PREPARED);
      return true;
    }
    if (held.coordinator.on(Event.PREPARE_ASKED)) {
      cancelLease(held);
      held.oncePrepared.add(call);
      if (held.coordinator.participants().isEmpty()) {
        held.oncePrepared.clear();
        waiting(call).prepared(new Reply.StateOf(TransactionConstants.NOTCHANGED));
        end(transaction, Event.ABORT_ASKED);
      } else {
        askToPrepare(transaction, held);
      }
      return true;
    }
    if (held.coordinator.phase() == TransactionPhase.PREPARING) {
      held.oncePrepared.add(call);
      return true;
    }
    return false;
  }

  private static void tellPrepared(Held held, Reply reply) {
    List<Call> waiting = List.copyOf(held.oncePrepared);
    held.oncePrepared.clear();
    waiting.forEach(call -> waiting(call).prepared(reply));
  }

  private static Waiting waiting(Call call) {
    return (Waiting) call.work();
  }

  private void cancelLease(Held held) {
    if (held.expiry != null) {
      context.deadlines.cancel(held.expiry);
      held.expiry = null;
    }
  }

  /**
   * Begins the end; the call's work hears the decision when everybody has carried it out. False if
   * the transaction is not known or cannot end like this any more.
   */
  boolean end(long transaction, Event event, Call call) {
    return end(transaction, event, List.of(call));
  }

  /** Begins to abort it; false if it is not known or too late. */
  boolean abort(long transaction) {
    return end(transaction, Event.ABORT_ASKED, List.of());
  }

  private void end(long transaction, Event event) {
    end(transaction, event, List.of());
  }

  private boolean end(long transaction, Event event, List<Call> waiting) {
    Held held = transactions.get(transaction);
    if (held == null) {
      return false;
    }
    if (!held.coordinator.on(event)) {
      // Too late; but who is told so may rely on it that its locks are gone.
      boolean decided =
          switch (held.coordinator.phase()) {
            case ABORTED -> true;
            case COMMITTING, COMMITTED -> event == Event.COMMIT_ASKED;
            default -> false;
          };
      return decided && held.onceOver.addAll(waiting);
    }
    cancelLease(held);
    held.onceOver.addAll(waiting);
    switch (held.coordinator.phase()) {
      case VOTING -> askToPrepare(transaction, held);
      case COMMITTING -> commitPrepared(transaction, held);
      default -> carryOut(transaction, held);
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
    owned.forEach(transaction -> end(transaction, Event.OWNER_LEFT));
  }

  private void askToPrepare(long transaction, Held held) {
    var participants = held.coordinator.participants();
    if (participants.isEmpty()) {
      held.coordinator.on(Event.ALL_PREPARED);
      carryOut(transaction, held);
    }
    boolean lasting = held.coordinator.phase() == TransactionPhase.PREPARING;
    for (int cell : participants) {
      context.send(
          cell, new Message.Prepare(transaction, participants.size() == 1 && !lasting, lasting));
    }
  }

  /** Nobody may see one cell after the commit and another one before it. */
  private void commitPrepared(long transaction, Held held) {
    var participants = held.coordinator.participants();
    if (participants.size() == 1) {
      held.coordinator.on(Event.ALL_PREPARED);
      carryOut(transaction, held);
    } else {
      participants.forEach(
          cell -> context.send(cell, new Message.Prepare(transaction, false, false)));
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
      if (held.coordinator.ownerSession() == NOBODY) {
        foreign.values().removeIf(stands -> stands.transaction() == transaction);
      }
      tellPrepared(held, new Reply.StateOf(TransactionConstants.ABORTED));
      held.onceOver.forEach(call -> waiting(call).over(held.coordinator.phase()));
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
    if (held == null || !asksParticipants(held.coordinator.phase())) {
      return;
    }
    TransactionPhase asked = held.coordinator.phase();
    if (!message.prepared() && asked != TransactionPhase.COMMITTING) {
      held.coordinator.on(Event.ONE_REFUSED);
      carryOut(message.transaction(), held);
    } else if (held.coordinator.prepared(message.from())) {
      held.coordinator.on(Event.ALL_PREPARED);
      if (held.coordinator.phase() == TransactionPhase.PREPARED) {
        tellPrepared(held, PREPARED);
      } else if (asked == TransactionPhase.VOTING && held.coordinator.participants().size() == 1) {
        // The only participant committed when it voted.
        held.coordinator.ended(message.from());
        forgetIfOver(message.transaction(), held);
      } else {
        carryOut(message.transaction(), held);
      }
    }
  }

  private static boolean asksParticipants(TransactionPhase phase) {
    return switch (phase) {
      case VOTING, PREPARING, COMMITTING -> true;
      case ACTIVE, PREPARED, COMMITTED, ABORTED -> false;
    };
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

  void save(StateWriter to) {
    to.count(transactions.size());
    transactions.forEach(
        (transaction, held) -> {
          to.secret(transaction);
          to.secret(held.coordinator.ownerSession());
          Coordinator.State state = held.coordinator.state();
          to.text(state.phase().name());
          to.list(state.participants(), StateWriter::size);
          to.list(state.unprepared(), StateWriter::size);
          to.list(state.unended(), StateWriter::size);
          to.list(held.onceOver, StateWriter::call);
          to.list(held.oncePrepared, StateWriter::call);
          to.handle(held.expiry);
          to.number(held.leaseMillis);
        });
    to.list(foreign.values(), ReplyCodec::foreign);
  }

  void load(StateReader from, Function<StateReader, Call> calls) {
    for (int rest = from.size(); rest > 0; rest--) {
      long transaction = from.secret();
      long owner = from.secret();
      Held held =
          new Held(
              Coordinator.of(
                  owner,
                  new Coordinator.State(
                      TransactionPhase.valueOf(from.text()),
                      from.list(StateReader::size),
                      from.list(StateReader::size),
                      from.list(StateReader::size))));
      transactions.put(transaction, held);
      held.onceOver.addAll(from.list(calls));
      held.oncePrepared.addAll(from.list(calls));
      held.expiry = from.handle();
      held.leaseMillis = from.number();
      if (held.expiry != null) {
        context.deadlines.restore(held.expiry, () -> end(transaction, Event.LEASE_ENDED));
      }
    }
    for (Reply.Foreign each : from.list(ReplyCodec::foreign)) {
      foreign.put(new ForeignName(each.manager(), each.id()), each);
    }
  }
}
