package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
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

  private static Optional<List<Object>> keyOf(EncodedEntry entry) {
    List<Object> key = KEY.stream().flatMap(field -> entry.scalar(field).stream()).toList();
    return key.size() == KEY.size() ? Optional.of(key) : Optional.empty();
  }
}
