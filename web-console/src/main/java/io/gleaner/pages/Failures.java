package io.gleaner.pages;

import io.gleaner.bag.Bags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups what failed by its reason. Its method blocks. */
public final class Failures {
  private static final int BATCH = 1000;
  private static final int MOST_BATCHES = 10;
  private static final int MOST_GROUPS = 20;
  private static final int TASKS_NAMED = 12;

  /**
   * Tasks that failed for one reason.
   *
   * @param tasks the first of them
   * @param logTail of the first of them
   */
  public record Group(String reason, int count, List<Integer> tasks, String logTail) {}

  private Failures() {}

  /** The groups among the first ten thousand outcomes, the largest first. */
  static List<Group> of(Bags bags, String jobId) {
    Map<String, List<Bags.TaskOutcome>> byReason = new LinkedHashMap<>();
    int after = -1;
    for (int batch = 0; batch < MOST_BATCHES; batch++) {
      List<Bags.TaskOutcome> outcomes = bags.outcomes(jobId, after, BATCH);
      for (Bags.TaskOutcome outcome : outcomes) {
        if (outcome.outputDigest().isEmpty()) {
          byReason.computeIfAbsent(outcome.reason(), r -> new ArrayList<>()).add(outcome);
        }
        after = outcome.taskIndex();
      }
      if (outcomes.size() < BATCH) {
        break;
      }
    }
    return byReason.entrySet().stream()
        .map(entry -> group(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingInt(Group::count).reversed())
        .limit(MOST_GROUPS)
        .toList();
  }

  private static Group group(String reason, List<Bags.TaskOutcome> tasks) {
    return new Group(
        reason,
        tasks.size(),
        tasks.stream().map(Bags.TaskOutcome::taskIndex).limit(TASKS_NAMED).toList(),
        tasks.get(0).logTail());
  }
}
