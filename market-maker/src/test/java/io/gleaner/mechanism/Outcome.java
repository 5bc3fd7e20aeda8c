package io.gleaner.mechanism;

import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.Release;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Plan;
import java.util.HashMap;
import java.util.Map;

/** Slots under contract after a plan was carried out on a book. */
public final class Outcome {
  private final Map<String, Integer> launchers = new HashMap<>();
  private final Map<String, Integer> bags = new HashMap<>();

  /** Carries the plan out in memory. */
  public static Outcome of(Book book, Plan plan) {
    Outcome outcome = new Outcome();
    Map<String, Contract> contracts = new HashMap<>();
    for (Contract contract : book.contracts()) {
      contracts.put(contract.contractId(), contract);
      outcome.add(contract.launcherId(), contract.jobId(), contract.slots());
    }
    for (Release release : plan.actions(Release.class)) {
      Contract contract = contracts.get(release.contractId());
      outcome.add(contract.launcherId(), contract.jobId(), -release.slots());
    }
    plan.actions(Award.class)
        .forEach(award -> outcome.add(award.launcherId(), award.jobId(), award.slots()));
    return outcome;
  }

  private void add(String launcher, String job, int slots) {
    launchers.merge(launcher, slots, Integer::sum);
    bags.merge(job, slots, Integer::sum);
  }

  public int ofLauncher(String launcherId) {
    return launchers.getOrDefault(launcherId, 0);
  }

  public int ofBag(String jobId) {
    return bags.getOrDefault(jobId, 0);
  }

  /** Slots of launchers that offer nothing or for bags that do not bid. */
  public int elsewhere(Book book) {
    return launchers.entrySet().stream()
            .filter(entry -> book.offer(entry.getKey()).isEmpty())
            .mapToInt(entry -> Math.abs(entry.getValue()))
            .sum()
        + bags.entrySet().stream()
            .filter(entry -> book.bag(entry.getKey()).isEmpty())
            .mapToInt(entry -> Math.abs(entry.getValue()))
            .sum();
  }
}
