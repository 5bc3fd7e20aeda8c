package io.gleaner.gateway;

import io.gleaner.identity.Party;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Principal;
import io.gleaner.identity.Thing;
import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * What one client may do, by {@link Permissions}: what it asks is held against the table. What that
 * needs to know of a device, its contracts and the tasks that it took, is asked of the space. Safe
 * for all threads.
 */
final class LinkRights {
  private static final Set<String> ANSWERS = Set.of("TaskEntry", "ResultEntry");
  private static final Set<String> BRIEF = Set.of("OfferEntry", "StatusEntry", "AttemptEntry");
  private static final Set<String> FROM_OTHERS = Set.of("TaskEntry", "JobEntry");
  private static final long BRIEF_LEASE_MILLIS = 60_000;
  private static final long CHECKPOINT_LEASE_MILLIS = 24 * 3_600_000L;

  private final Principal who;
  private final boolean isDevice;
  private final MarketDesk desk;
  private final Answering answering;
  private final LongAdder refused;
  private final DeviceUse use;
  private final Contracted contracted;
  private CompletableFuture<Void> looking = CompletableFuture.completedFuture(null);

  LinkRights(
      Principal who,
      MarketDesk desk,
      Answering answering,
      LongAdder refused,
      DeviceUse use,
      Ticker ticker) {
    this.who = who;
    this.isDevice = who.parties().contains(Party.DEVICE);
    this.desk = desk;
    this.answering = answering;
    this.refused = refused;
    this.use = use;
    this.contracted = new Contracted(ticker);
  }

  /** The command as this client may mean it: leases that end, and names that are its own. */
  Command fitted(Command command) {
    if (command instanceof Command.BeginForeign c) {
      // Managers are named by their clients: another one's transactions are not theirs.
      return new Command.BeginForeign(
          who.owner() + "/" + c.manager(), c.proxy(), c.id(), c.leaseMillis());
    }
    if (isDevice && command instanceof Command.Write c) {
      List<Long> leases = new java.util.ArrayList<>();
      for (int i = 0; i < c.entries().size(); i++) {
        leases.add(Math.min(c.leaseMillis().get(i), longest(c.entries().get(i))));
      }
      return new Command.Write(c.space(), c.entries(), leases, c.transaction());
    }
    return command;
  }

  private static long longest(EncodedEntry entry) {
    String kind = MarketTypes.kindOf(entry.type());
    if (BRIEF.contains(kind)) {
      return BRIEF_LEASE_MILLIS;
    }
    return kind.equals("CheckpointEntry") ? CHECKPOINT_LEASE_MILLIS : Long.MAX_VALUE;
  }

  /** Whether being handed the entry lets the client read the blobs that it names. */
  boolean hands(EncodedEntry entry) {
    if (!isDevice) {
      return true;
    }
    String kind = MarketTypes.kindOf(entry.type());
    return FROM_OTHERS.contains(kind)
        || (kind.equals("CheckpointEntry")
            && entry.scalar("launcherId").filter(who.id()::equals).isEmpty());
  }

  /**
   * Has the command carried out if it is allowed, else answers the refusal.
   *
   * @param again whether it may have been carried out before
   */
  CompletableFuture<Reply> allow(
      Command command, boolean again, Supplier<CompletableFuture<Reply>> carryOut) {
    if (!isDevice) {
      return decide(command, false, carryOut, () -> {});
    }
    if (command instanceof Command.Write write && answersTasks(write)) {
      return afterLook(
          () ->
              answering.inTurn(
                  who.toString(),
                  () ->
                      answering
                          .all(write.transaction(), answersOf(write), again)
                          .thenCompose(does -> decide(command, does, carryOut, use::allowed))));
    }
    Optional<Object> job = staleJob(command);
    Supplier<CompletableFuture<Reply>> counted = () -> within(command, carryOut);
    return job.isEmpty()
        ? decide(command, false, counted, () -> {})
        : afterLook(
            () ->
                known(command, job.get())
                    .thenCompose(known -> decide(command, false, counted, use::allowed)));
  }

  /** Asks the space, unless it was asked too often about what was refused. */
  private CompletableFuture<Reply> afterLook(Supplier<CompletableFuture<Reply>> look) {
    Optional<String> tooOften = use.look();
    if (tooOften.isEmpty()) {
      return look.get();
    }
    refused.increment();
    return CompletableFuture.completedFuture(new Reply.Refused(Refusal.LIMIT, tooOften.get()));
  }

  /** Carries the command out unless the device then had too many entries of a kind. */
  private CompletableFuture<Reply> within(
      Command command, Supplier<CompletableFuture<Reply>> carryOut) {
    if (!(command instanceof Command.Write write)) {
      return carryOut.get();
    }
    CompletableFuture<Optional<String>> room = CompletableFuture.completedFuture(Optional.empty());
    for (Map.Entry<String, Integer> each : DeviceUse.countedOf(write.entries()).entrySet()) {
      room =
          room.thenCompose(
              full ->
                  full.isPresent() || use.writes(each.getKey(), each.getValue())
                      ? CompletableFuture.completedFuture(full)
                      : count(each.getKey(), each.getValue()));
    }
    return room.thenCompose(
        full -> {
          if (full.isEmpty()) {
            return carryOut.get();
          }
          refused.increment();
          return CompletableFuture.completedFuture(new Reply.Refused(Refusal.LIMIT, full.get()));
        });
  }

  /** The sentence with which more entries of the kind are refused, or empty. */
  private CompletableFuture<Optional<String>> count(String kind, int more) {
    int most = DeviceUse.mostOf(kind).orElseThrow();
    String full =
        "this device has "
            + most
            + " entries of "
            + kind
            + " in the space, as many as it may have; take some or let their leases end";
    if (use.isFull(kind)) {
      return CompletableFuture.completedFuture(Optional.of(full));
    }
    return desk.countOf(kind, who.id(), most)
        .thenApply(
            there -> {
              use.found(kind, there, more);
              return use.writes(kind, more) ? Optional.empty() : Optional.of(full);
            });
  }

  /** What an answer shows of contracts is no proof of them, but a reason to look. */
  void answered(Reply reply) {
    if (isDevice && reply instanceof Reply.Listed listed) {
      contracted.seen(
          listed.entries().stream()
              .filter(entry -> MarketTypes.kindOf(entry.type()).equals("ContractEntry"))
              .toList());
    }
  }

  private static boolean answersTasks(Command.Write write) {
    return write.transaction() != 0 && !answersOf(write).isEmpty();
  }

  private static List<EncodedEntry> answersOf(Command.Write write) {
    return write.entries().stream()
        .filter(entry -> ANSWERS.contains(MarketTypes.kindOf(entry.type())))
        .toList();
  }

  private CompletableFuture<Reply> decide(
      Command command,
      boolean answersTakenTasks,
      Supplier<CompletableFuture<Reply>> carryOut,
      Runnable allowed) {
    Optional<String> why = refusal(command, answersTakenTasks);
    if (why.isEmpty()) {
      allowed.run();
      return carryOut.get();
    }
    refused.increment();
    return CompletableFuture.completedFuture(new Reply.Refused(Refusal.FORBIDDEN, why.get()));
  }

  /** Looks contracts up: the command names a job whose contract is not known well enough. */
  private CompletableFuture<Void> known(Command command, Object job) {
    CompletableFuture<Void> listed = lookUp();
    long transaction = command instanceof Command.Match match ? match.transaction() : 0;
    if (transaction == 0 || !(job instanceof String name)) {
      return listed;
    }
    // Its contract may have ended while it worked, and it came by another way since.
    return listed.thenCompose(
        known ->
            contracted.everHad(name)
                ? CompletableFuture.<Void>completedFuture(null)
                : answering
                    .tookOf(transaction, name)
                    .thenAccept(
                        took -> {
                          if (took) {
                            contracted.hadBefore(name);
                          }
                        }));
  }

  private synchronized CompletableFuture<Void> lookUp() {
    if (looking.isDone()) {
      looking = desk.contractsOf(who.id()).thenAccept(contracted::listed);
    }
    return looking;
  }

  private Optional<Object> staleJob(Command command) {
    for (EncodedEntry entry : entriesOf(command)) {
      String kind = MarketTypes.kindOf(entry.type());
      Optional<Object> job = entry.scalar("jobId");
      boolean now = kind.equals("TaskEntry");
      boolean once =
          kind.equals("JobEntry") || kind.equals("AttemptEntry") || kind.equals("CheckpointEntry");
      if (job.isPresent()
          && (now || (once && !contracted.everHad(job.get())))
          && contracted.isStale(job.get())) {
        return job;
      }
    }
    return Optional.empty();
  }

  private Optional<String> refusal(Command command, boolean answersTakenTasks) {
    if (command instanceof Command.Write c) {
      return ofEach(
          c.entries(), Action.WRITE, new Place(c.space(), c.transaction(), 0, answersTakenTasks));
    }
    if (command instanceof Command.Match c) {
      Action action = c.mode().takes() ? Action.TAKE : Action.READ;
      return ofEach(
          c.templates(), action, new Place(c.space(), c.transaction(), c.timeoutMillis(), false));
    }
    if (command instanceof Command.Contents c) {
      return ofEach(c.templates(), Action.READ, new Place(c.space(), c.transaction(), 0, false));
    }
    if (command instanceof Command.Register c) {
      return ofEach(c.templates(), Action.HEAR, new Place(c.space(), c.transaction(), 0, false));
    }
    if (command instanceof Command.CancelWait) {
      return Optional.empty();
    }
    Action action =
        command instanceof Command.Begin || command instanceof Command.BeginForeign
            ? Action.WRITE
            : Action.CHANGE;
    return Permissions.refusal(who, action, new Thing.Plain(kindOf(command), Map.of()));
  }

  private static String kindOf(Command command) {
    if (command instanceof Command.Begin
        || command instanceof Command.Commit
        || command instanceof Command.Abort
        || command instanceof Command.TransactionState) {
      return "transaction";
    }
    if (command instanceof Command.BeginForeign || command instanceof Command.Prepare) {
      return "foreign transaction";
    }
    boolean isLease =
        command instanceof Command.RenewLease
            || command instanceof Command.CancelLease
            || command instanceof Command.RenewLeases
            || command instanceof Command.CancelLeases;
    return isLease ? "lease" : command.getClass().getSimpleName();
  }

  private Optional<String> ofEach(List<EncodedEntry> entries, Action action, Place place) {
    for (EncodedEntry entry : entries) {
      Optional<String> refusal = Permissions.refusal(who, action, new Tuple(entry, place));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private static List<EncodedEntry> entriesOf(Command command) {
    if (command instanceof Command.Write c) {
      return c.entries();
    }
    if (command instanceof Command.Match c) {
      return c.templates();
    }
    if (command instanceof Command.Contents c) {
      return c.templates();
    }
    return List.of();
  }

  /** Where and how a command meets its entries. */
  private record Place(
      String space, long transaction, long waitMillis, boolean answersTakenTasks) {}

  /** A tuple or a template, in its place. */
  private final class Tuple implements Thing {
    private final EncodedEntry entry;
    private final Place place;

    Tuple(EncodedEntry entry, Place place) {
      this.entry = entry;
      this.place = place;
    }

    @Override
    public String kind() {
      return isDevice ? MarketTypes.kindOf(entry.type()) : "entry";
    }

    @Override
    public Optional<Object> field(String name) {
      return switch (name) {
        case Permissions.SPACE -> Optional.of(place.space);
        case Permissions.TRANSACTION ->
            place.transaction == 0 ? Optional.empty() : Optional.of(place.transaction);
        case Permissions.WAIT -> Optional.of(place.waitMillis);
        default -> entry.scalar(name);
      };
    }

    @Override
    public boolean isContracted(Object jobId) {
      return contracted.has(jobId);
    }

    @Override
    public boolean wasContracted(Object jobId) {
      return contracted.everHad(jobId);
    }

    @Override
    public boolean answersTakenTask() {
      return place.answersTakenTasks;
    }
  }
}
