package io.gleaner.description;

import io.gleaner.tuple.TaskKind;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A bag of tasks as its submitter described it, checked and with its defaults filled in. What each
 * field means: docs/bag-format.md.
 *
 * @param parameters in the order written; the bag is their product, the last varies fastest
 * @param estimateMicroUnits expected work of one task
 * @param budgetMicros what is set aside for the whole bag
 * @param priceLimit empty to pay at most the budget over the estimated work
 * @param runOn strings as {@code JobEntry.runOn} has them; empty for everybody
 */
public record BagDescription(
    String name,
    TaskKind kind,
    String bundle,
    String entryPoint,
    Optional<String> collector,
    List<Parameter> parameters,
    int memoryMegabytes,
    long estimateMicroUnits,
    Limits limits,
    int maxAttempts,
    boolean stopsOnFailure,
    long budgetMicros,
    Optional<PriceLimit> priceLimit,
    Optional<Deadline> deadline,
    int replication,
    List<String> runOn,
    Optional<Notice> notice) {

  /** Tasks that a bag may have. */
  public static final int MAX_TASKS = 1_000_000;

  public BagDescription {
    parameters = List.copyOf(parameters);
    runOn = List.copyOf(runOn);
  }

  /** Where one task is stopped. */
  public record Limits(long microUnits, long timeMillis, long diskBytes, long outputBytes) {}

  /** What the price limit counts. */
  public enum Per {
    UNIT,
    TASK
  }

  /** Most that is paid for one unit of work or for one task. */
  public record PriceLimit(Per per, long micros) {}

  /** When the bag should be complete: exactly one of the two is present. */
  public record Deadline(Optional<Instant> at, Optional<Duration> after) {

    /** The deadline of a bag that is submitted now. */
    public Instant from(Instant now) {
      return at.orElseGet(() -> now.plus(after.orElseThrow()));
    }
  }

  /** What somebody may want to be told. */
  public enum Event {
    /** Every task ended. */
    DONE,
    /** The bag was stopped by a failed task, or cancelled. */
    FAILED,
    /** Four fifths of the budget are spent. */
    BUDGET_80
  }

  /** Who is told and when. */
  public record Notice(Optional<String> mail, Optional<URI> webhook, Set<Event> at) {
    public Notice {
      at = Set.copyOf(at);
    }
  }

  /** The names of single files that a submission must hand in: the bundle and the CSV files. */
  public List<String> files() {
    return java.util.stream.Stream.concat(
            java.util.stream.Stream.of(bundle),
            parameters.stream()
                .filter(Parameter.Csv.class::isInstance)
                .map(parameter -> ((Parameter.Csv) parameter).file()))
        .distinct()
        .toList();
  }

  /** The patterns whose files a submission must hand in. */
  public List<String> patterns() {
    return parameters.stream()
        .filter(Parameter.Files.class::isInstance)
        .map(parameter -> ((Parameter.Files) parameter).glob())
        .distinct()
        .toList();
  }
}
