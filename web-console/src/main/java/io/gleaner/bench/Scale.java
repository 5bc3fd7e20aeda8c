package io.gleaner.bench;

import java.util.List;
import java.util.Locale;

/**
 * How much is measured.
 *
 * @param backlog entries that wait in the large backlog; the small one has at most 10 000
 * @param peerBacklog the most entries that wait in the peer, whose takes become slow with them
 * @param clients with how many clients at a time figures are taken
 * @param sliceSeconds how long one figure is measured
 * @param warmUpSeconds how long each peer is warmed up at a time before the first
 * @param warmUps how many times at most, while it gets faster
 * @param repetitions how often the figures of the bars are measured, in alternation
 */
public record Scale(
    String name,
    int backlog,
    int peerBacklog,
    List<Integer> clients,
    double sliceSeconds,
    double warmUpSeconds,
    int warmUps,
    int repetitions) {

  public static final Scale FULL =
      new Scale("full", 1_000_000, 100_000, List.of(1, 4, 16), 2, 15, 6, 3);

  /** About a minute on two cores; {@code ./gleaner} turns the compiler off that takes long. */
  public static final Scale QUICK =
      new Scale("quick", 100_000, 20_000, List.of(1, 16), 0.15, 1, 1, 2);

  public Scale {
    clients = List.copyOf(clients);
    if (backlog < 1 || peerBacklog < 1 || repetitions < 1 || !(sliceSeconds > 0)) {
      throw new IllegalArgumentException(
          "a benchmark of " + backlog + " entries and " + sliceSeconds + " s measures nothing");
    }
  }

  /** The same with fewer entries. */
  public Scale withEntries(int entries) {
    return new Scale(
        name,
        Math.min(backlog, entries),
        Math.min(peerBacklog, entries),
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
        peerBacklog,
        clients,
        seconds,
        Math.min(warmUpSeconds, 2 * seconds),
        warmUps,
        repetitions);
  }

  /** The small backlog. */
  int smallBacklog() {
    return Math.min(10_000, backlog);
  }

  /** What waits while a member joins: all of it, but the little that can move in a quick run. */
  int movingBacklog() {
    return warmUps == 1 ? peerBacklog : backlog;
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
        Math.min(backlog, peerBacklog),
        sliceSeconds,
        repetitions);
  }
}
