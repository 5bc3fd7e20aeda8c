package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Note;
import io.gleaner.space.PresenceNote;
import io.gleaner.space.Reply;
import io.gleaner.space.SpreadNote;
import io.gleaner.space.UrgentNote;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import net.jini.core.entry.Entry;
import net.jini.core.transaction.server.TransactionConstants;

/** A client that does anything a client may do, in any order, and repeats itself. */
final class SimulatedClient {
  private static final int MOST_OUTSTANDING = 6;
  private static final Reply PREPARED = new Reply.StateOf(TransactionConstants.PREPARED);
  private static final long FOREVER = Long.MAX_VALUE;

  record Asking(Operation operation) implements Caller {}

  /** Hears for the account only: the client that asked has lost its connection. */
  record Deaf(Operation operation) implements Caller {}

  /** Asks for a session, or for another lease of it. */
  record Opening(SimulatedClient client, long name, long sentNanos) implements Caller {}

  record Closing(SimulatedClient client, long session) implements Caller {}

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final SimulatedSpace space;
  private final NavigableMap<Long, Operation> unheard = new TreeMap<>();
  private final List<Deal> deals = new ArrayList<>();
  private final List<LeaseId> leases = new ArrayList<>();
  private final Set<Long> closing = new LinkedHashSet<>();
  private long session;
  private long name;
  private long wantedLeaseMillis;
  private long renewalSentNanos;
  private long sequences;

  SimulatedClient(SimulatedSpace space) {
    this.space = space;
    open();
  }

  private void open() {
    name = space.random.nextLong();
    wantedLeaseMillis = space.isLong() || space.chance(0.5) ? -1 : 1_500;
    askForSession(true);
  }

  private void askForSession(boolean begins) {
    renewalSentNanos = space.nanos();
    space.postAnyhow(
        Routing.homeOfName(name, space.cells()),
        new Message.Open(
            new Opening(this, name, space.nanos()),
            "simulated",
            name,
            wantedLeaseMillis,
            0,
            begins));
  }

  /** The host of the client says that it lives, if that is due. */
  private void renew() {
    if (space.chance(0.5)) {
      askForSession(false);
    } else {
      renewalSentNanos = space.nanos();
      space.postAnyhow(Routing.homeOf(session, space.cells()), new Message.Renew(List.of(session)));
    }
  }

  private boolean isRenewalDue() {
    long leaseMillis = space.account.sessions().leaseMillis(session);
    return space.nanos() - renewalSentNanos >= leaseMillis * NANOS_PER_MILLI / 3;
  }

  void opened(long number, Opening asked) {
    if (asked.name == name && session == 0 && number != 0) {
      session = number;
      sequences = 0;
    }
  }

  /** Ends the session and never comes back. */
  void leave() {
    close();
    name = 0;
  }

  /** Is never heard of again. */
  void dies() {
    vanish();
    name = 0;
  }

  /** Ends the session with whatever goes on in it. */
  void close() {
    if (session != 0) {
      closing.add(session);
      close(session);
      vanish();
    }
  }

  /** Is not heard of any more in this session. */
  private void vanish() {
    deals.forEach(deal -> deal.endAsked = true);
    space.account.closed(session);
    session = 0;
    unheard.clear();
    deals.clear();
    leases.clear();
  }

  /** The space says of an operation that its session has ended. */
  void ended(Operation operation) {
    if (operation.session == session && unheard.containsKey(operation.sequence)) {
      vanish();
    }
  }

  private void close(long number) {
    space.post(
        Routing.homeOf(number, space.cells()),
        new Message.Close(new Closing(this, number), number, 0));
  }

  void closed(long number) {
    closing.remove(number);
  }

  SimulatedSpace space() {
    return space;
  }

  long session() {
    return session;
  }

  /** Every answer before it has come through. */
  long lowestUnheard() {
    return unheard.firstKey();
  }

  List<Operation> unheard() {
    return List.copyOf(unheard.values());
  }

  void retryAll() {
    closing.forEach(this::close);
    if (session != 0) {
      renew();
    } else if (name != 0) {
      askForSession(true);
    }
    unheard.values().forEach(space::request);
  }

  /** One step of whatever it feels like. */
  void acts() {
    if (session == 0) {
      if (space.chance(0.05)) {
        open();
      } else if (space.chance(0.3)) {
        askForSession(true);
      }
      return;
    }
    if (space.chance(space.isLong() ? 0 : 0.005)) {
      if (space.chance(0.5)) {
        close();
      } else {
        vanish();
      }
      open();
    } else if (isRenewalDue()) {
      renew();
    } else if (!unheard.isEmpty() && space.chance(0.3)) {
      space.request(anyOf(unheard()));
    } else if (unheard.size() < MOST_OUTSTANDING) {
      starts();
    }
  }

  private void starts() {
    Deal deal = deals.isEmpty() || space.chance(0.5) ? null : anyOf(deals);
    double what = space.random.nextDouble();
    if (what < 0.35) {
      write(deal);
    } else if (what < 0.72) {
      match(deal);
    } else if (what < 0.76) {
      ask(new Command.Contents(space.anyName(), templates(), number(deal), "", 5), deal);
    } else if (what < 0.84) {
      if (deals.size() < 3) {
        ask(new Command.Begin(space.chance(0.7) ? FOREVER : space.random.nextInt(400)), null);
      }
    } else if (what < 0.92) {
      end(deal);
    } else if (what < 0.95) {
      lease();
    } else if (what < 0.97) {
      ask(
          new Command.Register(
              space.anyName(), templates(), number(deal), space.chance(0.5), false, FOREVER),
          deal);
    } else if (!unheard.isEmpty()) {
      ask(new Command.CancelWait(anyOf(unheard()).sequence), null);
    }
  }

  private void write(Deal deal) {
    int count = space.chance(0.6) ? 1 : 1 + space.random.nextInt(4);
    List<EncodedEntry> entries = new ArrayList<>();
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(EntryCodec.encode(anyEntry(space.account.nextNumber())));
      millis.add(space.chance(0.8) ? FOREVER : space.random.nextLong(500));
    }
    List<Tuple> taken = deal == null ? List.of() : deal.spendable();
    if (!taken.isEmpty() && space.chance(0.2)) {
      spend(deal, taken, entries, millis);
    } else {
      ask(new Command.Write(space.anyName(), entries, millis, number(deal)), deal);
    }
  }

  private void spend(Deal deal, List<Tuple> taken, List<EncodedEntry> entries, List<Long> millis) {
    Tuple first = anyOf(taken);
    List<Command.Spend> spends =
        taken.stream()
            .filter(tuple -> tuple.space().equals(first.space()))
            .filter(tuple -> tuple == first || space.chance(0.2))
            .map(tuple -> new Command.Spend(tuple.entry, true))
            .toList();
    ask(new Command.Write(first.space(), entries, millis, deal.number, spends), deal);
  }

  private Entry anyEntry(Integer number) {
    return switch (space.random.nextInt(7)) {
      case 0, 1 -> new Note(anyTopic(), number);
      case 2, 3 -> new UrgentNote(anyTopic(), number, anyTopic());
      case 4 -> new PresenceNote(anyTopic(), number);
      default -> new SpreadNote(anyTopic(), number);
    };
  }

  private String anyTopic() {
    return anyOf(List.of("red", "green"));
  }

  private List<EncodedEntry> templates() {
    int count = space.chance(0.85) ? 1 : 2;
    List<EncodedEntry> templates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      templates.add(EntryCodec.encode(anyTemplate()));
    }
    return templates;
  }

  private Entry anyTemplate() {
    String topic = space.chance(0.5) ? anyTopic() : null;
    return switch (space.random.nextInt(9)) {
      case 0, 1 -> new Note(topic, null);
      case 2 -> new UrgentNote(topic, null, null);
      case 3 -> new UrgentNote(topic, null, anyTopic());
      case 4, 5, 6 -> new SpreadNote(topic, null);
      case 7 -> new PresenceNote(topic, null);
      default -> null;
    };
  }

  private void match(Deal deal) {
    Command.Mode mode = anyOf(List.of(Command.Mode.values()));
    if (mode.takes() ? space.chance(0.3) : space.chance(0.6)) {
      mode = Command.Mode.TAKE;
    }
    long timeout =
        space.chance(0.6) ? 0 : space.chance(0.5) ? FOREVER : 1 + space.random.nextLong(2_000);
    int limit = space.chance(0.7) ? 1 : 3;
    int lookFirst = space.chance(0.5) ? -1 : space.random.nextInt(BucketKey.SHARDS);
    ask(
        new Command.Match(
            space.anyName(), mode, templates(), number(deal), timeout, limit, lookFirst),
        deal);
  }

  private void end(Deal deal) {
    if (deal == null || deal.endAsked) {
      return;
    }
    deal.endAsked = true;
    deals.remove(deal);
    if (space.chance(0.3)) {
      deal.prepareAsked = true;
      ask(new Command.Prepare(deal.number), deal);
    } else {
      decide(deal, space.chance(0.7));
    }
  }

  private void decide(Deal deal, boolean commit) {
    deal.commitAsked = commit;
    ask(deal.commitAsked ? new Command.Commit(deal.number) : new Command.Abort(deal.number), deal);
  }

  private void lease() {
    if (leases.isEmpty()) {
      return;
    }
    LeaseId lease = anyOf(leases);
    if (space.chance(0.3)) {
      leasesTogether(lease);
      return;
    }
    space.account.leaseTouched(lease);
    ask(
        space.chance(0.5)
            ? new Command.CancelLease(lease)
            : new Command.RenewLease(lease, space.random.nextLong(500)),
        null);
  }

  private void leasesTogether(LeaseId first) {
    List<LeaseId> some =
        leases.stream()
            .filter(lease -> Routing.cellOf(lease) == Routing.cellOf(first))
            .filter(lease -> lease.equals(first) || space.chance(0.3))
            .toList();
    some.forEach(space.account::leaseTouched);
    ask(
        space.chance(0.5)
            ? new Command.CancelLeases(some)
            : new Command.RenewLeases(
                some, some.stream().map(lease -> space.random.nextLong(500)).toList()),
        null);
  }

  Operation ask(Command command, Deal deal) {
    Operation operation = new Operation(this, ++sequences, command, deal);
    unheard.put(operation.sequence, operation);
    space.account.asked(operation);
    space.request(operation);
    return operation;
  }

  /** Something is reserved for an operation, and its client is awake or not. */
  void hearsOfReserved(Operation operation) {
    if (operation.session != session || !unheard.containsKey(operation.sequence)) {
      return;
    }
    if (!operation.sleeps) {
      operation.accepts = true;
      space.request(operation);
    } else if (space.chance(0.2)) {
      unheard.remove(operation.sequence);
    }
  }

  /** An answer has come through. */
  void hears(Operation operation) {
    if (operation.session != session || unheard.remove(operation.sequence) == null) {
      return;
    }
    if (operation.truth instanceof Reply.Began) {
      deals.add(operation.began);
    } else if (operation.command instanceof Command.Prepare) {
      boolean prepared = PREPARED.equals(operation.truth);
      decide(operation.under, prepared && space.chance(0.7));
    } else if (operation.truth instanceof Reply.Listed listed && !listed.cursor().isEmpty()) {
      Command.Contents page = (Command.Contents) operation.command;
      ask(
          new Command.Contents(
              page.space(), page.templates(), page.transaction(), listed.cursor(), page.limit()),
          operation.under);
    } else if (operation.truth instanceof Reply.Written written) {
      written.leases().forEach(granted -> leases.add(granted.lease()));
    }
  }

  private static long number(Deal deal) {
    return deal == null ? 0 : deal.number;
  }

  private <T> T anyOf(List<T> choices) {
    return choices.get(space.random.nextInt(choices.size()));
  }
}
