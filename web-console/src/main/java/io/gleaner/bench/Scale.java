package io.gleaner.bench;

import java.util.List;
import java.util.Locale;

/**
 * How much is measured.
 *
 * @param backlog entries that wait in the large backlog
 * @param clients with how many clients at a time figures are taken
 * @param sliceSeconds how long one figure is measured
 * @param warmUpSeconds how long each peer is warmed up at a time before the first
 * @param warmUps how many times at most, while it gets faster
 * @param repetitions how often the figures of the bars are measured, in alternation
 */
public record Scale(
    String name,
    int backlog,
    List<Integer> clients,
    double sliceSeconds,
    double warmUpSeconds,
    int warmUps,
    int repetitions) {

  public static final Scale FULL = new Scale("full", 1_000_000, List.of(1, 4, 16), 2, 15, 6, 3);

  /** {@code ./gleaner} turns the compiler off that takes long. */
  public static final Scale QUICK = new Scale("quick", 100_000, List.of(1, 16), 0.15, 1, 1, 2);

  public Scale {
    clients = List.copyOf(clients);
    if (backlog < 1 || repetitions < 1 || !(sliceSeconds > 0)) {
      throw new IllegalArgumentException(
          "a benchmark of " + backlog + " entries and " + sliceSeconds + " s measures nothing");
    }
  }

  /** The same with fewer entries. */
  public Scale withEntries(int entries) {
    return new Scale(
        name,
        Math.min(backlog, entries),
        clients,
        sliceSeconds,
        warmUpSeconds,
        warmUps,
        repetitions);
  }

  /** The same in less time for each figure. */
  public Scale withSlices(double seconds) {
    return new Scale(
        name,
        backlog,
        clients,
        seconds,
        Math.min(warmUpSeconds, 2 * seconds),
        warmUps,
        repetitions);
  }

  /** The small backlog: a hundredth. */
  int smallBacklog() {
    return Math.max(1, backlog / 100);
  }

  /** The most entries that wait in the peer, whose takes become slow with them: a tenth. */
  int peerBacklog() {
    return Math.max(1, backlog / 10);
  }

  /** What waits while a member joins: all of it, but the little that can move in a quick run. */
  int movingBacklog() {
    return warmUps == 1 ? peerBacklog() : backlog;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: %,d and %,d entries waiting (%,d in Outrigger), %.2f s a figure, %d repetitions of the"
            + " bars' figures",
        name,
        smallBacklog(),
        backlog,
        peerBacklog(),
        sliceSeconds,
        repetitions);
  }
}
