package io.gleaner.gateway;

import io.gleaner.identity.Party;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Principal;
import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What one client may do, by {@link Permissions}: what it asks is held against the table. What that
 * needs to know of a device, its contracts and the tasks that it took, is asked of the space. Safe
 * for all threads.
 */
final class LinkRights {
  private static final Set<String> BRIEF = Set.of("OfferEntry", "StatusEntry", "AttemptEntry");
  private static final String SILENCE =
      "the space does not tell this node what this client may do; ";
  private static final Reply NOT_KNOWN =
      new Reply.Refused(Refusal.UNAVAILABLE, SILENCE + "try again later");
  private static final Reply NOT_KNOWN_AGAIN =
      new Reply.Refused(Refusal.OUTCOME_UNKNOWN, SILENCE + "it was done before or not");
  private static final String NOT_ITS_BLOB =
      "a result or checkpoint names a blob that its user has not uploaded; upload it first";
  private static final long BRIEF_LEASE_MILLIS = 60_000;
  private static final long CHECKPOINT_LEASE_MILLIS = 24 * 3_600_000L;

  private final Principal who;
  private final boolean isDevice;
  private final MarketDesk desk;
  private final LongAdder refused;
  private final MemberUse use;
  private final long patienceMillis;
  private final Contracted contracted;
  private final CommandRights table;
  private final NamedBlobs blobs;
  private CompletableFuture<Void> looking = CompletableFuture.completedFuture(null);

  LinkRights(
      Principal who,
      MarketDesk desk,
      LongAdder refused,
      MemberUse use,
      Ticker ticker,
      Duration patience,
      NamedBlobs blobs) {
    this.who = who;
    this.isDevice = who.parties().contains(Party.DEVICE);
    this.desk = desk;
    this.refused = refused;
    this.use = use;
    this.patienceMillis = patience.toMillis();
    this.blobs = blobs;
    this.contracted = new Contracted(ticker);
    this.table = new CommandRights(who, contracted);
  }

  /** Counts one more operation; or the sentence with which it is refused. */
  Optional<String> asks() {
    return use.asks();
  }

  /** As {@link #asks}, of what may have been done before. */
  Optional<String> repeats() {
    return use.repeats();
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

  /**
   * Has the command, or more exactly what this client may mean by it, carried out if it is allowed,
   * else answers the refusal.
   *
   * @param again whether it may have been carried out before
   */
  CompletableFuture<Reply> allow(
      Command command, boolean again, Function<Command, CompletableFuture<Reply>> carryOut) {
    if (!isDevice) {
      return decide(command, carryOut, () -> {});
    }
    Set<String> named = NamedBlobs.by(command);
    return named.isEmpty()
        ? allowDevice(command, again, carryOut)
        : afterLook(
            again,
            () ->
                ifAnswered(
                    blobs.holds(named).orTimeout(patienceMillis, TimeUnit.MILLISECONDS),
                    again,
                    held -> {
                      if (!held) {
                        return CompletableFuture.completedFuture(forbidden(NOT_ITS_BLOB));
                      }
                      use.allowed();
                      return allowDevice(command, again, carryOut);
                    }));
  }

  private CompletableFuture<Reply> allowDevice(
      Command command, boolean again, Function<Command, CompletableFuture<Reply>> carryOut) {
    if (command instanceof Command.Write write && Answering.isAnswer(write)) {
      return answer(write, again, carryOut);
    }
    Optional<Object> job = staleJob(command);
    Function<Command, CompletableFuture<Reply>> counted = each -> within(each, again, carryOut);
    return job.isEmpty()
        ? decide(command, counted, () -> {})
        : afterLook(
            again,
            () ->
                ifAnswered(
                    known(command, job.get()),
                    again,
                    known -> decide(command, counted, use::allowed)));
  }

  /** Goes on with what the space said, if it does in time. */
  private static <T> CompletableFuture<Reply> ifAnswered(
      CompletableFuture<T> asked, boolean again, Function<T, CompletableFuture<Reply>> next) {
    return asked
        .<Supplier<CompletableFuture<Reply>>>handle(
            (said, failure) ->
                () ->
                    failure == null
                        ? next.apply(said)
                        : CompletableFuture.completedFuture(again ? NOT_KNOWN_AGAIN : NOT_KNOWN))
        .thenCompose(Supplier::get);
  }

  /** Asks the space, unless it was asked too often about what was refused. */
  private CompletableFuture<Reply> afterLook(
      boolean again, Supplier<CompletableFuture<Reply>> look) {
    return use.look()
        .map(tooOften -> CompletableFuture.completedFuture(tooMuch(again, tooOften)))
        .orElseGet(look);
  }

  private Reply tooMuch(boolean again, String why) {
    refused.increment();
    return again
        ? new Reply.Refused(Refusal.OUTCOME_UNKNOWN, "it was done before or not, and " + why)
        : new Reply.Refused(Refusal.LIMIT, why);
  }

  /** Carries the command out unless the device then had too many entries of a kind. */
  private CompletableFuture<Reply> within(
      Command command, boolean again, Function<Command, CompletableFuture<Reply>> carryOut) {
    if (!(command instanceof Command.Write write)) {
      return carryOut.apply(command);
    }
    CompletableFuture<Optional<String>> room = CompletableFuture.completedFuture(Optional.empty());
    for (Map.Entry<String, Integer> each : MemberUse.countedOf(write.entries()).entrySet()) {
      room =
          room.thenCompose(
              full ->
                  full.isPresent() || use.writes(each.getKey(), each.getValue())
                      ? CompletableFuture.completedFuture(full)
                      : count(each.getKey(), each.getValue()));
    }
    return ifAnswered(
        room,
        again,
        full ->
            full.map(why -> CompletableFuture.completedFuture(tooMuch(again, why)))
                .orElseGet(() -> carryOut.apply(command)));
  }

  /** The sentence with which more entries of the kind are refused, or empty. */
  private CompletableFuture<Optional<String>> count(String kind, int more) {
    int most = MemberUse.mostOf(kind).orElseThrow();
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
        .orTimeout(patienceMillis, TimeUnit.MILLISECONDS)
        .thenApply(
            there -> {
              use.found(kind, there, more);
              return use.writes(kind, more) ? Optional.empty() : Optional.of(full);
            });
  }

  /** Whether it has taken what it answers, and not answered it before, is decided by the space. */
  private CompletableFuture<Reply> answer(
      Command.Write write, boolean again, Function<Command, CompletableFuture<Reply>> carryOut) {
    Optional<List<Command.Spend>> spends = Answering.spends(write);
    Optional<String> why = table.refusal(write, spends.isPresent());
    if (why.isPresent()) {
      return CompletableFuture.completedFuture(forbidden(why.get()));
    }
    Command.Write spending =
        new Command.Write(
            write.space(),
            write.entries(),
            write.leaseMillis(),
            write.transaction(),
            spends.orElse(List.of()));
    return afterLook(
        again, () -> carryOut.apply(spending).thenApply(reply -> judged(write, reply)));
  }

  private Reply judged(Command.Write write, Reply reply) {
    Optional<Refusal> code =
        reply instanceof Reply.Refused no ? Optional.of(no.code()) : Optional.empty();
    if (code.filter(Refusal.FORBIDDEN::equals).isPresent()) {
      return forbidden(table.refusal(write, false).orElse(((Reply.Refused) reply).message()));
    }
    if (code.filter(Refusal.UNKNOWN_TRANSACTION::equals).isEmpty()) {
      use.allowed();
    }
    return reply;
  }

  /** The blobs that the client may read once it is handed the entry. */
  Set<String> handed(EncodedEntry entry) {
    return isDevice ? NamedBlobs.handed(entry, who.id()) : Set.of();
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

  private CompletableFuture<Reply> decide(
      Command command, Function<Command, CompletableFuture<Reply>> carryOut, Runnable allowed) {
    Optional<String> why = table.refusal(command, false);
    if (why.isPresent()) {
      return CompletableFuture.completedFuture(forbidden(why.get()));
    }
    allowed.run();
    return carryOut.apply(command);
  }

  private Reply.Refused forbidden(String why) {
    refused.increment();
    return new Reply.Refused(Refusal.FORBIDDEN, why);
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
                : Answering.tookOf(desk, transaction, name)
                    .orTimeout(patienceMillis, TimeUnit.MILLISECONDS)
                    .thenAccept(
                        took -> {
                          if (took) {
                            contracted.hadBefore(name);
                          }
                        }));
  }

  private synchronized CompletableFuture<Void> lookUp() {
    if (looking.isDone()) {
      looking =
          desk.contractsOf(who.id())
              .thenAccept(contracted::listed)
              .orTimeout(patienceMillis, TimeUnit.MILLISECONDS);
    }
    return looking;
  }

  private Optional<Object> staleJob(Command command) {
    for (EncodedEntry entry : CommandRights.entriesOf(command)) {
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
}
