package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Command;
import io.gleaner.tuple.TaskEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a device writes to answer tasks that it took: a result, or the task itself without a change.
 * The space decides whether its transaction has taken that task and has not answered it before, by
 * whatever node and connection. Stateless.
 */
final class Answering {
  private static final int MOST_AT_ONCE = 256;
  private static final Set<String> ANSWERS = Set.of("TaskEntry", "ResultEntry");
  private static final List<String> KEY = List.of("jobId", "taskIndex", "replica", "attempt");

  private Answering() {}

  /** Whether it writes results or tasks. */
  static boolean isAnswer(Command.Write write) {
    return write.entries().stream().anyMatch(Answering::isAnswer);
  }

  private static boolean isAnswer(EncodedEntry entry) {
    return ANSWERS.contains(MarketTypes.kindOf(entry.type()));
  }

  /**
   * The tasks that the transaction must have taken for this write; empty if it has no transaction
   * or one is not named.
   */
  static Optional<List<Command.Spend>> spends(Command.Write write) {
    if (write.transaction() == 0 || write.entries().size() > MOST_AT_ONCE) {
      return Optional.empty();
    }
    List<Command.Spend> spends = new ArrayList<>();
    for (EncodedEntry entry : write.entries()) {
      if (isAnswer(entry)) {
        Optional<EncodedEntry> task = taskOf(entry);
        if (task.isEmpty()) {
          return Optional.empty();
        }
        boolean isBack = entry.type().equals(task.get().type());
        spends.add(new Command.Spend(isBack ? entry : task.get(), isBack));
      }
    }
    return Optional.of(spends);
  }

  private static Optional<EncodedEntry> taskOf(EncodedEntry entry) {
    List<Object> key = KEY.stream().flatMap(field -> entry.scalar(field).stream()).toList();
    if (key.size() == KEY.size()
        && key.get(0) instanceof String job
        && key.get(1) instanceof Integer index
        && key.get(2) instanceof Integer replica
        && key.get(3) instanceof Integer attempt) {
      TaskEntry template = TaskEntry.ofJob(job);
      template.taskIndex = index;
      template.replica = replica;
      template.attempt = attempt;
      template.shard = TaskEntry.shardOf(job, index);
      // What it says about earlier faults decides when the task is given up.
      entry.scalar("faults").map(Integer.class::cast).ifPresent(faults -> template.faults = faults);
      return Optional.of(EntryCodec.encode(template));
    }
    return Optional.empty();
  }

  /** Whether the transaction has taken a task of the job. */
  static CompletableFuture<Boolean> tookOf(MarketDesk desk, long transaction, String jobId) {
    CompletableFuture<Boolean> any = CompletableFuture.completedFuture(false);
    for (int shard = 0; shard < TaskEntry.SHARDS; shard++) {
      TaskEntry task = TaskEntry.ofJob(jobId);
      task.shard = TaskEntry.shardOf(jobId, shard);
      any =
          any.thenCompose(
              found ->
                  found
                      ? CompletableFuture.completedFuture(true)
                      : desk.taken(transaction, EntryCodec.encode(task))
                          .thenApply(tasks -> !tasks.isEmpty()));
    }
    return any;
  }
}
