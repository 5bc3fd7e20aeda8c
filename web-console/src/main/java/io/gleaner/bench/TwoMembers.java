package io.gleaner.bench;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A second member joins a space full of entries, then both serve with a synchronous replica. */
final class TwoMembers {
  static final String NAME = "replicated";
  private static final int CLIENTS = 4;
  private static final int MOST_CLIENTS = 16;

  private final Scale scale;
  private final Report report;
  private final Trials trials;
  private final Load load;

  TwoMembers(Scale scale, Report report, Trials trials, Load load) {
    this.scale = scale;
    this.report = report;
    this.trials = trials;
    this.load = load;
  }

  /** Measures and tells the bars. */
  void measure(Peer outrigger, GatewayPeer space) throws Exception {
    try (space) {
      Backlog.grow(space, 0, scale.movingBacklog());
      Pattern pairs = Pairs.ownKey("pairs, a key for each");
      trials.warmUp(pairs, List.of(space), CLIENTS);
      long end = System.nanoTime() + (long) (scale.sliceSeconds() * 1e9);
      double quiet = load.p99Millis(pairs, space, CLIENTS, () -> System.nanoTime() < end);
      CompletableFuture<Void> joined = joining(space);
      double moving = load.p99Millis(pairs, space, CLIENTS, () -> !joined.isDone());
      joined.join();
      List<Peer> peers = List.of(outrigger, space);
      report.columns(List.of(outrigger.name(), NAME));
      trials.warmUp(pairs, List.of(space), MOST_CLIENTS);
      Row many = trials.repeatedly(pairs, MOST_CLIENTS, peers);
      Row any = trials.repeatedly(new Wildcards(), 1, peers);
      report.note(
          "p99 of a pair with %d clients: %.2f ms before, %.2f ms while a member joins and %,d entries move"
              .formatted(CLIENTS, quiet, moving, scale.movingBacklog()));
      report.bar(SpaceArea.overOutrigger(many, NAME, 2.5));
      report.bar(
          Bar.atLeast(
              "replicated-wildcard-pairs-with-1-client",
              any.ratio(NAME, outrigger.name()),
              SpaceArea.TIMES_OUTRIGGER,
              1));
    }
  }

  private static CompletableFuture<Void> joining(GatewayPeer space) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            space.join();
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }
}
