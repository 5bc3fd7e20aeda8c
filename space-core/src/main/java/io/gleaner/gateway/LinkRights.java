package io.gleaner.gateway;

import io.gleaner.identity.Party;
import io.gleaner.identity.Permissions;
import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Principal;
import io.gleaner.identity.Thing;
import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import net.jini.core.entry.Entry;

/**
 * What one client may do, by {@link Permissions}: what it asks is held against the table, and what
 * it is answered says which contracts and tasks it has. Safe for all threads.
 */
final class LinkRights {
  private static final CompletableFuture<Optional<String>> ALLOWED =
      CompletableFuture.completedFuture(Optional.empty());

  private static final Set<String> ANSWERS = Set.of("TaskEntry", "ResultEntry");

  private final Principal who;
  private final boolean isDevice;
  private final MarketDesk desk;
  private final LongAdder refused;
  private final Contracted contracted;
  private final TakenTasks taken = new TakenTasks();

  private CompletableFuture<Void> looking = CompletableFuture.completedFuture(null);

  LinkRights(Principal who, MarketDesk desk, LongAdder refused, Ticker ticker) {
    this.who = who;
    this.isDevice = who.parties().contains(Party.DEVICE);
    this.desk = desk;
    this.refused = refused;
    this.contracted = new Contracted(ticker);
  }

  /**
   * The sentence that refuses the command, or empty; at once unless contracts are looked up.
   *
   * @param operation names it, and the same if it is asked again
   */
  CompletableFuture<Optional<String>> refusal(Command command, Object operation) {
    if (isDevice && dependsOnStale(command)) {
      return lookUp().thenApply(listed -> counted(refusalNow(command, operation)));
    }
    if (isDevice && command instanceof Command.Write write && write.transaction() != 0) {
      List<EncodedEntry> unknown =
          write.entries().stream()
              .filter(entry -> ANSWERS.contains(MarketTypes.kindOf(entry.type())))
              .filter(entry -> taken.isUnknown(write.transaction(), entry))
              .toList();
      if (!unknown.isEmpty()) {
        return learn(write.transaction(), unknown)
            .thenApply(learnt -> counted(refusalNow(command, operation)));
      }
    }
    Optional<String> refusal = counted(refusalNow(command, operation));
    return refusal.isEmpty() ? ALLOWED : CompletableFuture.completedFuture(refusal);
  }

  private Optional<String> counted(Optional<String> refusal) {
    refusal.ifPresent(why -> refused.increment());
    return refusal;
  }

  private synchronized CompletableFuture<Void> lookUp() {
    if (looking.isDone()) {
      looking = desk.contractsOf(who.id()).thenAccept(contracted::listed);
    }
    return looking;
  }

  /** Asks the space of tasks that were taken by way of a node that is gone. */
  private CompletableFuture<Void> learn(long transaction, List<EncodedEntry> answers) {
    return CompletableFuture.allOf(
        answers.stream()
            .flatMap(answer -> TakenTasks.templateOf(answer).stream())
            .map(template -> learn(transaction, template))
            .toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<Void> learn(long transaction, TaskEntry template) {
    ResultEntry result = ResultEntry.ofJob(template.jobId);
    result.taskIndex = template.taskIndex;
    result.replica = template.replica;
    result.attempt = template.attempt;
    CompletableFuture<List<EncodedEntry>> tasks = held(transaction, true, template);
    CompletableFuture<List<EncodedEntry>> back = held(transaction, false, template);
    CompletableFuture<List<EncodedEntry>> results = held(transaction, false, result);
    return CompletableFuture.allOf(tasks, back, results)
        .thenRun(
            () -> {
              boolean answered = !back.join().isEmpty() || !results.join().isEmpty();
              tasks.join().forEach(task -> taken.takenElsewhere(transaction, task, answered));
            });
  }

  private CompletableFuture<List<EncodedEntry>> held(
      long transaction, boolean taken, Entry template) {
    return desk.held(transaction, taken, EntryCodec.encode(template));
  }

  /** Whether an entry in the command names a job whose contract is not known well enough. */
  private boolean dependsOnStale(Command command) {
    for (EncodedEntry entry : entriesOf(command)) {
      String kind = MarketTypes.kindOf(entry.type());
      Optional<Object> job = entry.scalar("jobId");
      boolean now = kind.equals("TaskEntry");
      boolean once =
          kind.equals("JobEntry") || kind.equals("AttemptEntry") || kind.equals("CheckpointEntry");
      if (job.isPresent()
          && (now || (once && !contracted.everHad(job.get())))
          && contracted.isStale(job.get())) {
        return true;
      }
    }
    return false;
  }

  private Optional<String> refusalNow(Command command, Object operation) {
    if (command instanceof Command.Write c) {
      return ofEach(c.entries(), Action.WRITE, c.space(), c.transaction(), operation);
    }
    if (command instanceof Command.Match c) {
      Action action = c.mode().takes() ? Action.TAKE : Action.READ;
      return ofEach(c.templates(), action, c.space(), c.transaction(), operation);
    }
    if (command instanceof Command.Contents c) {
      return ofEach(c.templates(), Action.READ, c.space(), c.transaction(), operation);
    }
    if (command instanceof Command.Register c) {
      return ofEach(c.templates(), Action.READ, c.space(), c.transaction(), operation);
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

  private Optional<String> ofEach(
      List<EncodedEntry> entries, Action action, String space, long transaction, Object operation) {
    Set<List<Object>> written = new HashSet<>();
    for (EncodedEntry entry : entries) {
      Optional<String> refusal =
          Permissions.refusal(
              who, action, new Tuple(entry, space, transaction, operation, written));
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
    return command instanceof Command.Register c ? c.templates() : List.of();
  }

  /** Notes what the answer says of contracts and tasks. */
  void answered(Command command, Reply reply) {
    if (!isDevice) {
      return;
    }
    if (reply instanceof Reply.Matched matched && command instanceof Command.Match match) {
      if (match.mode().takes() && match.transaction() != 0) {
        taken.taken(match.transaction(), ofKind("TaskEntry", matched.entries()));
      }
    } else if (reply instanceof Reply.Listed listed && command instanceof Command.Contents asked) {
      if (listed.cursor().isEmpty() && asked.cursor().isEmpty() && isForAllContracts(asked)) {
        contracted.listed(listed.entries());
      }
    } else if (command instanceof Command.Commit commit && reply instanceof Reply.Done) {
      taken.ended(commit.transaction());
    } else if (command instanceof Command.Abort abort && reply instanceof Reply.Done) {
      taken.ended(abort.transaction());
    }
  }

  private static boolean isForAllContracts(Command.Contents asked) {
    return asked.transaction() == 0
        && asked.templates().size() == 1
        && ofKind("ContractEntry", asked.templates()).size() == 1
        && Arrays.stream(asked.templates().get(0).fields()).filter(Objects::nonNull).count() == 1;
  }

  private static List<EncodedEntry> ofKind(String kind, List<EncodedEntry> entries) {
    return entries.stream().filter(entry -> MarketTypes.kindOf(entry.type()).equals(kind)).toList();
  }

  /** A tuple or a template, in its space and transaction. */
  private final class Tuple implements Thing {
    private final EncodedEntry entry;
    private final String space;
    private final long transaction;
    private final Object operation;
    private final Set<List<Object>> written;

    Tuple(
        EncodedEntry entry,
        String space,
        long transaction,
        Object operation,
        Set<List<Object>> written) {
      this.operation = operation;
      this.written = written;
      this.entry = entry;
      this.space = space;
      this.transaction = transaction;
    }

    @Override
    public String kind() {
      return isDevice ? MarketTypes.kindOf(entry.type()) : "entry";
    }

    @Override
    public Optional<Object> field(String name) {
      if (name.equals(Permissions.SPACE)) {
        return Optional.of(space);
      }
      if (name.equals(Permissions.TRANSACTION)) {
        return transaction == 0 ? Optional.empty() : Optional.of(transaction);
      }
      return entry.scalar(name);
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
      return taken.answers(transaction, entry, operation, written);
    }
  }
}
