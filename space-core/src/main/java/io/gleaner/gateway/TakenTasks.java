package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.tuple.TaskEntry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which tasks a device has taken in which of its transactions, and which of them it has answered
 * there, by a result or by putting them back: each once. Safe for all threads; guarded by its
 * monitor.
 */
final class TakenTasks {
  private static final int MOST_TRANSACTIONS = 1000;
  private static final List<String> KEY = List.of("jobId", "taskIndex", "replica", "attempt");

  /** Stands for an operation that went to another node. */
  private static final Object ELSEWHERE = new Object();

  private static final class Taken {
    private final EncodedEntry task;
    private Optional<Object> answeredBy = Optional.empty();

    Taken(EncodedEntry task) {
      this.task = task;
    }
  }

  private final Map<Long, Map<List<Object>, Taken>> byTransaction =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Map<List<Object>, Taken>> eldest) {
          return size() > MOST_TRANSACTIONS;
        }
      };

  synchronized void taken(long transaction, List<EncodedEntry> tasks) {
    Map<List<Object>, Taken> here =
        byTransaction.computeIfAbsent(transaction, t -> new HashMap<>());
    tasks.forEach(task -> keyOf(task).ifPresent(key -> here.put(key, new Taken(task))));
  }

  /** Whether nothing is known of the task of the entry, which the transaction may have taken. */
  synchronized boolean isUnknown(long transaction, EncodedEntry entry) {
    return keyOf(entry)
        .filter(key -> !byTransaction.getOrDefault(transaction, Map.of()).containsKey(key))
        .isPresent();
  }

  /** The task was taken by way of another node, and perhaps answered there. */
  synchronized void takenElsewhere(long transaction, EncodedEntry task, boolean answered) {
    taken(transaction, List.of(task));
    if (answered) {
      keyOf(task)
          .ifPresent(
              key -> byTransaction.get(transaction).get(key).answeredBy = Optional.of(ELSEWHERE));
    }
  }

  /**
   * Whether the entry answers a task that was taken in the transaction and that nothing else has
   * answered: it is the result of it, or the task itself without a change.
   *
   * @param operation who writes the entry; may come again
   * @param written the tasks that the same operation has answered before this entry
   */
  synchronized boolean answers(
      long transaction, EncodedEntry entry, Object operation, Set<List<Object>> written) {
    Optional<List<Object>> key = keyOf(entry);
    Optional<Taken> taken =
        key.map(each -> byTransaction.getOrDefault(transaction, Map.of()).get(each));
    if (taken.isEmpty()
        || !(taken.get().answeredBy.isEmpty() || taken.get().answeredBy.get().equals(operation))
        || (entry.type().equals(taken.get().task.type()) && !entry.equals(taken.get().task))
        || !written.add(key.get())) {
      return false;
    }
    taken.get().answeredBy = Optional.of(operation);
    return true;
  }

  synchronized void ended(long transaction) {
    byTransaction.remove(transaction);
  }

  /** The task that the entry is or answers: its number in the bag, and its shard. */
  static Optional<TaskEntry> templateOf(EncodedEntry entry) {
    return keyOf(entry)
        .filter(key -> key.get(0) instanceof String && key.get(1) instanceof Integer)
        .filter(key -> key.get(2) instanceof Integer && key.get(3) instanceof Integer)
        .map(
            key -> {
              TaskEntry template = TaskEntry.ofJob((String) key.get(0));
              template.taskIndex = (Integer) key.get(1);
              template.replica = (Integer) key.get(2);
              template.attempt = (Integer) key.get(3);
              template.shard = TaskEntry.shardOf(template.jobId, template.taskIndex);
              return template;
            });
  }

  private static Optional<List<Object>> keyOf(EncodedEntry entry) {
    List<Object> key = KEY.stream().flatMap(field -> entry.scalar(field).stream()).toList();
    return key.size() == KEY.size() ? Optional.of(key) : Optional.empty();
  }
}
