package io.gleaner.bench;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** The space: embedded and through the gateway, beside Outrigger. */
final class SpaceArea {
  private static final int MOST_CLIENTS = 16;
  private static final int BATCH = 100;
  private static final int OUTSTANDING = 64;
  private static final String GATEWAY = "gateway";
  static final String TIMES_OUTRIGGER = "times-outrigger";

  private final Scale scale;
  private final Report report;
  private final Trials trials;
  private final Load load;
  private final List<Peer> peers;
  private final Peer empty;

  private SpaceArea(
      Scale scale, Report report, Trials trials, Load load, List<Peer> peers, Peer empty) {
    this.scale = scale;
    this.report = report;
    this.trials = trials;
    this.load = load;
    this.peers = peers;
    this.empty = empty;
  }

  static void run(Scale scale, Report report) throws Exception {
    Path folder = Files.createTempDirectory("gleaner-bench");
    Map<String, String> conditions = Conditions.now(scale);
    conditions.put(
        "space",
        "TLS 1.3 over loopback with certificates on both sides and permissions checked, in memory"
            + " except where it says durable; two members where it says replicated");
    conditions.put(
        "clients",
        "one operation outstanding each except where it says more, each with a connection of its own");
    report.conditions(conditions);
    try (Load load = new Load()) {
      Trials trials = new Trials(scale, report, load);
      FutureTask<GatewayPeer> one = starting(() -> GatewayPeer.start(GATEWAY, folder));
      try (OutriggerPeer outrigger = OutriggerPeer.start();
          GatewayPeer gateway = one.get()) {
        oneMember(scale, report, trials, load, outrigger, gateway);
        withoutTls(scale, report, trials, gateway);
      }
      FutureTask<GatewayPeer> durable =
          starting(() -> GatewayPeer.startDurable(OnDisk.NAME, folder));
      FutureTask<GatewayPeer> replicated =
          starting(() -> GatewayPeer.start(TwoMembers.NAME, folder));
      // A fresh one: the other has become slow with all that waits in it.
      try (OutriggerPeer outrigger = OutriggerPeer.start()) {
        trials.warmUp(Pairs.ownKey("warm-up"), List.of(outrigger), MOST_CLIENTS);
        try (GatewayPeer gateway = durable.get()) {
          new OnDisk(scale, report, trials).measure(outrigger, gateway, folder);
        }
        new TwoMembers(scale, report, trials, load).measure(outrigger, replicated.get());
      }
    } finally {
      delete(folder);
    }
    report.note("load in the end " + Conditions.load());
  }

  /** Starts a process beside another one: each takes some seconds. */
  private static FutureTask<GatewayPeer> starting(Callable<GatewayPeer> peer) {
    FutureTask<GatewayPeer> start = new FutureTask<>(peer);
    new Thread(start, "bench-start").start();
    return start;
  }

  private static void oneMember(
      Scale scale, Report report, Trials trials, Load load, Peer outrigger, Peer gateway)
      throws Exception {
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        EmbeddedPeer embedded = new EmbeddedPeer("embedded", engine, GatewayPeer.SPACE);
        EmbeddedPeer empty = new EmbeddedPeer("embedded", engine, "empty")) {
      new SpaceArea(scale, report, trials, load, List.of(outrigger, gateway, embedded), empty)
          .measure();
    }
  }

  private static void withoutTls(Scale scale, Report report, Trials trials, GatewayPeer gateway)
      throws Exception {
    try (Peer clear = gateway.inClearText("in clear text")) {
      List<Peer> both = List.of(gateway, clear);
      report.columns(both.stream().map(Peer::name).toList());
      trials.warmUp(Pairs.ownKey("warm-up"), List.of(clear), MOST_CLIENTS);
      for (int clients : scale.clients()) {
        trials.once(waiting(scale.backlog()), clients, both);
      }
    }
  }

  private void measure() throws Exception {
    report.columns(peers.stream().map(Peer::name).toList());
    trials.warmUp(Pairs.ownKey("warm-up"), peers, MOST_CLIENTS);
    List<Row> ownKey = new ArrayList<>();
    for (int clients : scale.clients()) {
      ownKey.add(trials.repeatedly(Pairs.ownKey("pairs, a key for each"), clients, peers));
    }
    each(Pairs.sharedKey(), peers);
    trials.once(new Wildcards(), 1, peers);
    each(new Reads(), peers);
    Expiry.measure(scale, report, load, peers);
    trials.once(new Batches(BATCH), 1, peers);
    trials.once(new Pipelined(OUTSTANDING), 1, peers.subList(1, peers.size()));
    for (int clients : List.of(1, MOST_CLIENTS)) {
      trials.once(new InTransactions(), clients, peers);
    }
    for (Peer peer : peers) {
      LockedHeads.lock(peer, scale.smallBacklog());
    }
    trials.once(LockedHeads.pairs(scale.smallBacklog()), 1, peers);
    for (Peer peer : peers) {
      Backlog.crossed(peer, 2 * scale.smallBacklog());
    }
    trials.once(new NoMeeting(), 1, peers);
    double slowdown = backlogs();
    bars(ownKey.get(ownKey.size() - 1), slowdown);
  }

  private void each(Pattern pattern, List<Peer> peers) throws Exception {
    for (int clients : scale.clients()) {
      trials.once(pattern, clients, peers);
    }
  }

  /** Answers how many times as long a pair takes with the large backlog as without. */
  private double backlogs() throws Exception {
    List<Peer> ours = peers.subList(1, peers.size());
    grow(peers, 0, scale.smallBacklog());
    each(waiting(scale.smallBacklog()), peers);
    if (scale.smallBacklog() < scale.peerBacklog() && scale.peerBacklog() < scale.backlog()) {
      grow(peers, scale.smallBacklog(), scale.peerBacklog());
      trials.once(waiting(scale.peerBacklog()), MOST_CLIENTS, peers);
    }
    if (scale.smallBacklog() < scale.backlog()) {
      grow(ours, Math.max(scale.smallBacklog(), scale.peerBacklog()), scale.backlog());
      each(waiting(scale.backlog()), ours);
    }
    Peer full = peers.get(peers.size() - 1);
    Row without = trials.repeatedly(Pairs.ownKey("pairs, nothing waiting"), 1, List.of(empty));
    Row with = trials.repeatedly(waiting(scale.backlog()), 1, List.of(full));
    return without.rate(empty.name()) / with.rate(full.name());
  }

  private static void grow(List<Peer> peers, int from, int to) throws Exception {
    for (Peer peer : peers) {
      Backlog.grow(peer, from, to);
    }
  }

  private static Pattern waiting(int entries) {
    return Pairs.ownKey("pairs, %,d entries waiting".formatted(entries));
  }

  private void bars(Row pairs, double slowdown) {
    report.bar(overOutrigger(pairs, GATEWAY, 5));
    report.bar(overOutrigger(pairs, "embedded", 10));
    report.bar(
        Bar.atMost(
            "bound-take-with-%d-waiting".formatted(scale.backlog()), slowdown, "times", 1.5));
  }

  static Bar overOutrigger(Row pairs, String peer, double goal) {
    return Bar.atLeast(
        "%s-pairs-with-%d-clients".formatted(peer, pairs.clients()),
        pairs.ratio(peer, OutriggerPeer.NAME),
        TIMES_OUTRIGGER,
        goal);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
