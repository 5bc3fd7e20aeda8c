package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import net.jini.core.entry.Entry;

/**
 * Whether what a device writes answers a task that it took in the same transaction: as its result,
 * or as the task itself without a change, and once. The space is asked each time, and what one
 * device answers is carried out one after the other, by all its links to this node. Safe for all
 * threads.
 */
final class Answering {
  private static final int MOST_AT_ONCE = 256;
  private static final List<String> KEY = List.of("jobId", "taskIndex", "replica", "attempt");

  private final MarketDesk desk;
  private final Map<String, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();

  Answering(MarketDesk desk) {
    this.desk = desk;
  }

  /**
   * Does it when what the device has answered before is done.
   *
   * @param device its user and its name
   */
  <T> CompletableFuture<T> inTurn(String device, Supplier<CompletableFuture<T>> next) {
    CompletableFuture<T> done = new CompletableFuture<>();
    CompletableFuture<?> before = underWay.put(device, done);
    CompletableFuture<?> turn = before == null ? CompletableFuture.completedFuture(null) : before;
    var unusedTurn =
        turn.handle((reply, failure) -> true)
            .thenCompose(free -> next.get())
            .whenComplete(
                (reply, failure) -> {
                  if (failure == null) {
                    done.complete(reply);
                  } else {
                    done.completeExceptionally(failure);
                  }
                });
    var unused = done.whenComplete((reply, failure) -> underWay.remove(device, done));
    return done;
  }

  /**
   * Whether each of the entries answers a task of its own.
   *
   * @param again whether it may have been written before
   */
  CompletableFuture<Boolean> all(long transaction, List<EncodedEntry> entries, boolean again) {
    if (entries.size() > MOST_AT_ONCE) {
      return CompletableFuture.completedFuture(false);
    }
    return next(transaction, entries.iterator(), again, new HashSet<>());
  }

  private CompletableFuture<Boolean> next(
      long transaction, Iterator<EncodedEntry> rest, boolean again, Set<List<Object>> seen) {
    if (!rest.hasNext()) {
      return CompletableFuture.completedFuture(true);
    }
    EncodedEntry entry = rest.next();
    Optional<TaskEntry> task = taskOf(entry);
    if (task.isEmpty() || !seen.add(keyOf(entry))) {
      return CompletableFuture.completedFuture(false);
    }
    return answers(transaction, entry, task.get(), again)
        .thenCompose(
            does ->
                does
                    ? next(transaction, rest, again, seen)
                    : CompletableFuture.completedFuture(false));
  }

  private CompletableFuture<Boolean> answers(
      long transaction, EncodedEntry entry, TaskEntry task, boolean again) {
    ResultEntry result = ResultEntry.ofJob(task.jobId);
    result.taskIndex = task.taskIndex;
    result.replica = task.replica;
    result.attempt = task.attempt;
    CompletableFuture<List<EncodedEntry>> taken = held(transaction, true, task);
    CompletableFuture<List<EncodedEntry>> back = held(transaction, false, task);
    CompletableFuture<List<EncodedEntry>> results = held(transaction, false, result);
    return CompletableFuture.allOf(taken, back, results)
        .thenApply(
            all -> {
              boolean isTask = entry.type().equals(EntryCodec.encode(task).type());
              boolean took = isTask ? taken.join().contains(entry) : !taken.join().isEmpty();
              boolean unanswered = back.join().isEmpty() && results.join().isEmpty();
              // Asked again, it is answered as before.
              boolean same = (isTask ? back : results).join().equals(List.of(entry));
              return took && (unanswered || (again && same));
            });
  }

  /** Whether the transaction has taken a task of the job. */
  CompletableFuture<Boolean> tookOf(long transaction, String jobId) {
    CompletableFuture<Boolean> any = CompletableFuture.completedFuture(false);
    for (int shard = 0; shard < TaskEntry.SHARDS; shard++) {
      TaskEntry task = TaskEntry.ofJob(jobId);
      task.shard = TaskEntry.shardOf(jobId, shard);
      any =
          any.thenCompose(
              found ->
                  found
                      ? CompletableFuture.completedFuture(true)
                      : held(transaction, true, task).thenApply(tasks -> !tasks.isEmpty()));
    }
    return any;
  }

  private CompletableFuture<List<EncodedEntry>> held(
      long transaction, boolean taken, Entry template) {
    return desk.held(transaction, taken, EntryCodec.encode(template));
  }

  private static List<Object> keyOf(EncodedEntry entry) {
    return KEY.stream().flatMap(field -> entry.scalar(field).stream()).toList();
  }

  private static Optional<TaskEntry> taskOf(EncodedEntry entry) {
    List<Object> key = keyOf(entry);
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
      return Optional.of(template);
    }
    return Optional.empty();
  }
}
