package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Knows everything that clients asked and cells answered, heard or not, and objects at once to what
 * the space must not do. Every entry of a run is unlike every other.
 */
final class Account {

  private final SimulatedSpace space;
  private final Map<EncodedEntry, Tuple> tuples = new LinkedHashMap<>();
  private final Map<Long, Deal> deals = new LinkedHashMap<>();
  private final Map<LeaseId, Tuple> byLease = new LinkedHashMap<>();
  private final Set<Operation> readsUnderDeals = new LinkedHashSet<>();
  private final Set<Operation> undecided = new LinkedHashSet<>();

  /** Takes for which something was reserved, and that were not accepted so far. */
  private final Set<Operation> reserving = new LinkedHashSet<>();

  private final KnownSessions sessions;
  private int numbers;
  private long leasesRestartedNanos;
  private int matched;
  private int accepted;
  private int wentBack;
  private int spent;

  Account(SimulatedSpace space) {
    this.space = space;
    this.sessions = new KnownSessions(space);
  }

  Integer nextNumber() {
    return ++numbers;
  }

  /** Entries found in the whole run: a run that finds nothing proves nothing. */
  int matched() {
    return matched;
  }

  /** Entries that were taken and spent. */
  int spent() {
    return spent;
  }

  /** Takes that were accepted after something was reserved for them. */
  int accepted() {
    return accepted;
  }

  /** Takes for which something was reserved that went back. */
  int wentBack() {
    return wentBack;
  }

  void asked(Operation operation) {
    undecided.add(operation);
    if (operation.command instanceof Command.Write write) {
      for (int i = 0; i < write.entries().size(); i++) {
        Tuple tuple = new Tuple(write.entries().get(i), write.leaseMillis().get(i), operation);
        tuples.put(tuple.entry, tuple);
        if (operation.under != null) {
          operation.under.written.add(tuple);
        }
      }
      for (Command.Spend spend : write.spends()) {
        operation.under.spendsAsked.merge(tuples.get(spend.entry()), 1, Integer::sum);
      }
    } else if (operation.under != null
        && (operation.command instanceof Command.Contents
            || (operation.command instanceof Command.Match match && !match.mode().takes()))) {
      readsUnderDeals.add(operation);
    }
  }

  /** Some cell goes on elsewhere, and its leases start anew. */
  void leasesRestarted(int cell) {
    leasesRestartedNanos = space.nanos();
    sessions.leasesRestarted(cell);
  }

  KnownSessions sessions() {
    return sessions;
  }

  /** Everything stopped; entries of transient classes are gone. */
  void restarted() {
    for (int cell = 0; cell < space.cells(); cell++) {
      leasesRestarted(cell);
    }
    for (Tuple tuple : tuples.values()) {
      if (tuple.entry.type().transientEntries()) {
        tuple.leaseTouched = true;
        if (tuple.writing.truth != null) {
          tuple.goneStep = Math.min(tuple.goneStep, space.step());
        }
      }
    }
  }

  void leaseTouched(LeaseId lease) {
    Tuple tuple = byLease.get(lease);
    if (tuple != null) {
      tuple.leaseTouched = true;
    }
  }

  void closed(long session) {
    sessions.closed(session);
    deals.values().stream()
        .filter(deal -> deal.begun.session == session)
        .forEach(deal -> deal.endAsked = true);
  }

  void heard(SpaceEvent event) {
    require(event.sequence() > 0, () -> "an event without a number: " + event);
  }

  /** Operations of which nobody knows what came of them. */
  List<Operation> undecided() {
    return List.copyOf(undecided);
  }

  /** A cell answered; the first answer that says what happened is the truth. */
  void answered(Operation operation, Reply reply) {
    if (reply instanceof Reply.Reserved reserved) {
      reserved(operation, reserved);
      return;
    }
    undecided.remove(operation);
    if (saysThatSessionEnded(reply)) {
      require(
          !sessions.lives(operation.session) || !operation.client.unheard().contains(operation),
          () -> "the session has ended in its lease: " + operation);
      return;
    }
    if (operation.truth != null) {
      require(
          operation.truth.equals(reply), () -> "a retry was answered " + reply + ": " + operation);
      return;
    }
    operation.truth = reply;
    if (operation.isAccepted()) {
      accepted(operation);
    } else if (reply instanceof Reply.Written written) {
      written(operation, written);
    } else if (reply instanceof Reply.Refused refused
        && refused.code() == Reply.Refusal.FORBIDDEN) {
      notSpent(operation);
    } else if (reply instanceof Reply.Matched found) {
      matched(operation, (Command.Match) operation.command, found.entries());
    } else if (reply instanceof Reply.Listed listed) {
      listed.entries().forEach(entry -> seen(operation, entry));
    } else if (reply instanceof Reply.Began began) {
      operation.began =
          new Deal(
              began.transaction(),
              Deadlines.after(operation.sentNanos, began.lease().millis()),
              operation);
      deals.put(began.transaction(), operation.began);
    } else if (operation.command instanceof Command.Commit) {
      ended(operation.under, reply, Deal.Outcome.COMMITTED);
    } else if (operation.command instanceof Command.Abort) {
      ended(operation.under, reply, Deal.Outcome.ABORTED);
    } else if (operation.command instanceof Command.CancelLeases cancel
        && reply instanceof Reply.EachLease each) {
      cancelled(cancel, each);
    } else if (operation.command instanceof Command.CancelLease cancel
        && reply instanceof Reply.Done
        && byLease.containsKey(cancel.lease())) {
      Tuple tuple = byLease.get(cancel.lease());
      tuple.goneStep = Math.min(tuple.goneStep, space.step());
    }
  }

  static boolean saysThatSessionEnded(Reply reply) {
    return reply instanceof Reply.Refused refused
        && (refused.code() == Reply.Refusal.OUTCOME_UNKNOWN
            || refused.code() == Reply.Refusal.UNKNOWN_SESSION);
  }

  private void cancelled(Command.CancelLeases cancel, Reply.EachLease reply) {
    for (int i = 0; i < cancel.leases().size(); i++) {
      Tuple tuple = byLease.get(cancel.leases().get(i));
      if (tuple != null && reply.millis().get(i) != Reply.NO_LEASE) {
        tuple.goneStep = Math.min(tuple.goneStep, space.step());
      }
    }
  }

  private void written(Operation operation, Reply.Written written) {
    Command.Write write = (Command.Write) operation.command;
    for (int i = 0; i < write.entries().size(); i++) {
      Tuple tuple = tuples.get(write.entries().get(i));
      tuple.truthStep = space.step();
      tuple.truthNanos = space.nanos();
      byLease.put(written.leases().get(i).lease(), tuple);
    }
    for (Command.Spend spend : write.spends()) {
      Tuple tuple = tuples.get(spend.entry());
      spent++;
      require(operation.under.taken.contains(tuple), () -> "not taken: " + operation);
      require(operation.under.spent.add(tuple), () -> tuple + " is spent twice: " + operation);
    }
  }

  /** Somebody else has asked for one of them too, or it may be gone. */
  private void notSpent(Operation operation) {
    require(
        ((Command.Write) operation.command)
            .spends().stream()
                .map(spend -> tuples.get(spend.entry()))
                .anyMatch(
                    tuple -> operation.under.spendsAsked.get(tuple) > 1 || !tuple.isEverlasting()),
        () -> "refused what it has taken: " + operation);
  }

  /** Whatever the answer is, everybody has carried it out. */
  private void ended(Deal deal, Reply reply, Deal.Outcome wanted) {
    deal.outcome = reply instanceof Reply.Done ? wanted : Deal.Outcome.ABORTED;
    deal.endedStep = space.step();
    if (deal.outcome == Deal.Outcome.COMMITTED) {
      deal.taken.forEach(tuple -> tuple.goneStep = Math.min(tuple.goneStep, space.step()));
    }
  }

  private void matched(Operation operation, Command.Match match, List<EncodedEntry> entries) {
    matched += entries.size();
    for (Tuple tuple : found(operation, match, entries)) {
      if (match.mode().takes()) {
        taken(operation, tuple);
      } else {
        tuple.reads.add(operation);
      }
    }
    if (entries.isEmpty() && match.timeoutMillis() == 0) {
      for (Tuple tuple : tuples.values()) {
        if (couldHave(operation, match, tuple, operation.sentStep)) {
          throw new AssertionError(tuple + " was there all the time and not found: " + operation);
        }
      }
    }
  }

  private List<Tuple> found(Operation operation, Command.Match match, List<EncodedEntry> entries) {
    List<Tuple> found = new ArrayList<>();
    require(entries.size() <= match.limit(), () -> "more than asked for: " + operation);
    require(Set.copyOf(entries).size() == entries.size(), () -> "one entry twice: " + operation);
    for (EncodedEntry entry : entries) {
      Tuple tuple = seen(operation, entry);
      require(
          tuple.matches(match.space(), match.templates()),
          () -> entry + " does not match: " + operation);
      found.add(tuple);
    }
    return found;
  }

  /** Nobody else may get it for now, and its client not either unless it says that it has it. */
  private void reserved(Operation operation, Reply.Reserved reply) {
    if (operation.reserved != null) {
      require(
          operation.truth == null && operation.reserved.equals(reply),
          () -> "a retry was answered " + reply + ": " + operation);
      return;
    }
    require(
        operation.truth == null && operation.asked() == Receipt.AWAITED,
        () -> "reserved although it is not to be: " + operation);
    operation.reserved = reply;
    operation.reservedNanos = space.nanos();
    reserving.add(operation);
    Command.Match match = (Command.Match) operation.command;
    require(!reply.entries().isEmpty(), () -> "nothing is reserved: " + operation);
    found(operation, match, reply.entries()).forEach(tuple -> tuple.takes.add(operation));
  }

  private void accepted(Operation operation) {
    require(operation.accepts, () -> "taken without a receipt: " + operation);
    require(operation.backStep == Long.MAX_VALUE, () -> "taken after it went back: " + operation);
    reserving.remove(operation);
    accepted++;
    matched += operation.reserved.entries().size();
    for (EncodedEntry entry : operation.reserved.entries()) {
      Tuple tuple = tuples.get(entry);
      tuple.goneStep = Math.min(tuple.goneStep, space.step());
      requireHeldOnce(tuple);
    }
  }

  /** All messages have arrived: what was reserved for too long is free again. */
  void calmed() {
    for (Operation each : reserving) {
      if (each.backStep == Long.MAX_VALUE && space.isOverdue(each.reservedNanos)) {
        each.backStep = space.step();
        wentBack++;
      }
    }
  }

  private Tuple seen(Operation operation, EncodedEntry entry) {
    Tuple tuple = tuples.get(entry);
    require(tuple != null, () -> "an entry that nobody wrote: " + operation);
    Deal writer = tuple.writing.under;
    require(
        writer == null || writer == operation.under || writer.mayBeCommitted(),
        () -> tuple + " was seen although its transaction is not committed: " + operation);
    require(
        tuple.goneStep > operation.sentStep,
        () -> tuple + " was seen after it was gone: " + operation);
    boolean expired =
        !tuple.leaseTouched
            && tuple.truthStep < operation.sentStep
            && Deadlines.after(Math.max(tuple.truthNanos, leasesRestartedNanos), tuple.leaseMillis)
                <= operation.sentNanos
            && tuple.leaseMillis != Long.MAX_VALUE;
    require(!expired, () -> tuple + " was seen after its lease: " + operation);
    return tuple;
  }

  private void taken(Operation operation, Tuple tuple) {
    tuple.takes.add(operation);
    if (operation.under != null) {
      operation.under.taken.add(tuple);
    } else {
      tuple.goneStep = space.step();
    }
    requireHeldOnce(tuple);
  }

  private void requireHeldOnce(Tuple tuple) {
    long holders = tuple.takes.stream().filter(this::holds).count();
    require(holders <= 1, () -> tuple + " is held twice");
  }

  private boolean holds(Operation take) {
    return take.under != null ? isActive(take.under) : take.reserved == null || take.isAccepted();
  }

  private boolean isActive(Deal deal) {
    return deal.isActiveAt(space.nanos()) && sessions.lives(deal.begun.session);
  }

  /** Whether the entry was free for the operation from the step until now, beyond all doubt. */
  private boolean couldHave(Operation operation, Command.Match match, Tuple tuple, long step) {
    return couldFind(match, tuple)
        && tuple.isPublishedBefore(step)
        && tuple.takes.stream().allMatch(take -> isOverBefore(take, step))
        && !tuple.leaseTouched
        && space.nanos() < Deadlines.after(tuple.writing.sentNanos, tuple.leaseMillis)
        && !(match.mode().takes() && mayBeReadLocked(tuple, operation, step));
  }

  private static boolean isOverBefore(Operation take, long step) {
    Deal deal = take.under;
    return take.reserved != null
        ? take.backStep < step
        : deal != null && deal.outcome == Deal.Outcome.ABORTED && deal.endedStep < step;
  }

  /** A read under a transaction may lock more than it answers. */
  private boolean mayBeReadLocked(Tuple tuple, Operation operation, long step) {
    return readsUnderDeals.stream()
        .filter(read -> read.under != operation.under)
        .filter(read -> read.under.outcome == Deal.Outcome.OPEN || read.under.endedStep >= step)
        .anyMatch(read -> couldFind(read.command, tuple));
  }

  private static boolean couldFind(Command command, Tuple tuple) {
    return command instanceof Command.Match match
        ? couldFind(match, tuple)
        : tuple.matches(
            ((Command.Contents) command).space(), ((Command.Contents) command).templates());
  }

  private static boolean couldFind(Command.Match match, Tuple tuple) {
    return tuple.goneStep == Long.MAX_VALUE && tuple.matches(match.space(), match.templates());
  }

  /**
   * All messages have arrived: whoever still waits must have nothing to find, or waits for the
   * decision of a client that asked to prepare and died.
   */
  void checkWaiting(Operation operation) {
    if (operation.reserved != null) {
      return; // what was found waits for the client
    }
    if (operation.command instanceof Command.Match asked
        && deals.values().stream().anyMatch(deal -> deal.isUndecided() && concerns(deal, asked))) {
      return;
    }
    require(operation.mayWait(), () -> "never answered: " + operation);
    Command.Match match = (Command.Match) operation.command;
    for (Tuple tuple : tuples.values()) {
      if (couldHave(operation, match, tuple, space.step() + 1)) {
        throw new AssertionError("waits for " + tuple + ", which is free: " + operation);
      }
    }
  }

  private boolean concerns(Deal deal, Command.Match match) {
    return readsUnderDeals.stream().anyMatch(read -> read.under == deal)
        || Stream.concat(deal.written.stream(), deal.taken.stream())
            .anyMatch(tuple -> tuple.matches(match.space(), match.templates()));
  }

  /** After all sessions are closed and everything left was taken out. */
  void checkBalance() {
    for (Tuple tuple : tuples.values()) {
      long gone = tuple.takes.stream().filter(Operation::isDone).count();
      long doubtful =
          tuple.takes.stream().filter(take -> take.under != null && take.under.isInDoubt()).count();
      require(gone <= 1, () -> tuple + " was taken twice");
      boolean lost =
          tuple.isPublishedBefore(Long.MAX_VALUE) && tuple.isEverlasting() && gone + doubtful == 0;
      require(!lost, () -> tuple + " is lost");
    }
    deals.values().stream().filter(Deal::isInDoubt).forEach(Deal::checkAtomic);
  }

  static void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise.get());
    }
  }
}
