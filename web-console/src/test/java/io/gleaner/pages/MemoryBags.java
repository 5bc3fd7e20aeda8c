package io.gleaner.pages;

import io.gleaner.bag.BagException;
import io.gleaner.bag.Bags;
import io.gleaner.description.BagDescription;
import io.gleaner.description.BagParser;
import io.gleaner.description.DescriptionException;
import io.gleaner.ledger.Ledger;
import io.gleaner.tuple.JobState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Bags without a market behind them: tests end the tasks themselves. Guarded by its monitor. */
public final class MemoryBags implements Bags {
  private final Map<String, Kept> byId = new HashMap<>();
  private final Map<String, String> idByKey = new HashMap<>();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private final InstantSource clock;
  private final Ledger ledger;

  private static final class Kept {
    Summary summary;
    String description;
    final TreeMap<Integer, TaskOutcome> outcomes = new TreeMap<>();
    final List<TaskOutcome> asTheyCame = new ArrayList<>();
  }

  public MemoryBags(InstantSource clock, Ledger ledger) {
    this.clock = clock;
    this.ledger = ledger;
  }

  @Override
  public synchronized Summary submit(String owner, Submission submission) {
    String before = idByKey.get(owner + "/" + submission.idempotencyKey());
    if (before != null) {
      if (!byId.get(before).description.equals(submission.description())) {
        throw new BagException(
            BagException.Code.KEY_REUSED, "this key was used for another description");
      }
      return byId.get(before).summary;
    }
    BagDescription bag = parse(submission.description());
    for (String file : bag.files()) {
      if (!submission.files().containsKey(file)) {
        throw new BagException(
            BagException.Code.MISSING_FILE, "the description names " + file + ", hand it in");
      }
    }
    String id = "bag-" + (byId.size() + 1);
    ledger.escrow(owner, id, 10_000_000);
    Kept kept = new Kept();
    kept.description = submission.description();
    kept.summary =
        new Summary(
            id,
            owner,
            bag.name(),
            JobState.OPEN.name(),
            100,
            0,
            0,
            10_000_000,
            0,
            clock.instant(),
            Optional.empty(),
            "waits for slots");
    byId.put(id, kept);
    idByKey.put(owner + "/" + submission.idempotencyKey(), id);
    changed(id);
    return kept.summary;
  }

  /** Ends a task as a launcher and verification would. */
  public synchronized void ends(
      String id, int task, Optional<String> digest, long bytes, String why) {
    Kept kept = byId.get(id);
    kept.outcomes.put(
        task,
        new TaskOutcome(
            task,
            Map.of("seed", Integer.toString(task)),
            digest.isPresent() ? "COMPLETED" : "FAILED",
            "launcher-" + task % 2,
            digest,
            bytes,
            430_000 + task * 7_000L,
            digest.isPresent() ? 24_000 : 0,
            430 + task * 7L,
            why,
            why.isEmpty() ? "" : "java.lang.IllegalStateException: " + why + "\n  at Tile.render",
            clock.instant()));
    kept.asTheyCame.add(kept.outcomes.get(task));
    Summary s = kept.summary;
    int failed =
        (int) kept.outcomes.values().stream().filter(o -> o.outputDigest().isEmpty()).count();
    int completed = kept.outcomes.size() - failed;
    JobState state = kept.outcomes.size() == s.tasks() ? JobState.DONE : JobState.OPEN;
    kept.summary = with(s, state, completed, failed, completed * 24_000L, "2 slots at 1.5 credits");
    changed(id);
  }

  @Override
  public synchronized List<Summary> list(Optional<String> owner, int limit) {
    return byId.values().stream()
        .map(kept -> kept.summary)
        .filter(bag -> owner.isEmpty() || owner.get().equals(bag.owner()))
        .sorted(Comparator.comparing(Summary::submitted).reversed())
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized Optional<Summary> find(String jobId) {
    return Optional.ofNullable(byId.get(jobId)).map(kept -> kept.summary);
  }

  @Override
  public synchronized Summary cancel(String jobId, String reason) {
    Kept kept = byId.get(jobId);
    Summary s = kept.summary;
    kept.summary = with(s, JobState.CANCELLED, s.completed(), s.failed(), s.spentMicros(), reason);
    changed(jobId);
    return kept.summary;
  }

  @Override
  public synchronized List<TaskOutcome> outcomes(String jobId, int afterIndex, int limit) {
    return new ArrayList<>(byId.get(jobId).outcomes.tailMap(afterIndex, false).values())
        .stream().limit(limit).toList();
  }

  @Override
  public synchronized List<Placed> completions(String jobId, int afterPlace, int limit) {
    List<TaskOutcome> came = byId.get(jobId).asTheyCame;
    return IntStream.rangeClosed(afterPlace + 1, came.size())
        .mapToObj(place -> new Placed(place, came.get(place - 1)))
        .limit(limit)
        .toList();
  }

  @Override
  public AutoCloseable onChange(Consumer<String> changed) {
    listeners.add(changed);
    return () -> listeners.remove(changed);
  }

  private Summary with(
      Summary s, JobState state, int completed, int failed, long spent, String note) {
    Optional<Instant> ended = state.ended() ? Optional.of(clock.instant()) : Optional.empty();
    return new Summary(
        s.jobId(),
        s.owner(),
        s.name(),
        state.name(),
        s.tasks(),
        completed,
        failed,
        s.budgetMicros(),
        spent,
        s.submitted(),
        ended,
        note);
  }

  private void changed(String id) {
    listeners.forEach(listener -> listener.accept(id));
  }

  private static BagDescription parse(String yaml) {
    try {
      return BagParser.parse(yaml);
    } catch (DescriptionException e) {
      throw new BagException(
          BagException.Code.INVALID_DESCRIPTION,
          e.getMessage(),
          e.problems().stream().map(Object::toString).toList());
    }
  }
}
