package io.gleaner.bench;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceSettings;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.util.List;

/** One member whose answers leave when they are on disk (H2), beside a peer that is in memory. */
final class OnDisk {
  static final String NAME = "durable";
  private static final String EMBEDDED = "durable, embedded";
  private static final int MOST_CLIENTS = 16;
  private static final int OUTSTANDING = 64;

  private final Scale scale;
  private final Report report;
  private final Trials trials;

  OnDisk(Scale scale, Report report, Trials trials) {
    this.scale = scale;
    this.report = report;
    this.trials = trials;
  }

  /** Measures and tells the bar. */
  void measure(Peer outrigger, Peer gateway, Path folder) throws Exception {
    StorageSettings storage = StorageSettings.in(folder.resolve("embedded"));
    try (HazelcastSpace engine = HazelcastSpace.startDurable(SpaceSettings.defaults(), storage);
        EmbeddedPeer embedded = new EmbeddedPeer(EMBEDDED, engine, GatewayPeer.SPACE)) {
      List<Peer> ours = List.of(gateway, embedded);
      List<Peer> peers = List.of(outrigger, gateway, embedded);
      report.columns(peers.stream().map(Peer::name).toList());
      Pattern pairs = Pairs.ownKey("pairs, a key for each, on disk");
      trials.warmUp(pairs, ours, MOST_CLIENTS);
      Row many = null;
      for (int clients : scale.clients()) {
        many = trials.repeatedly(pairs, clients, peers);
      }
      trials.once(new Pipelined(OUTSTANDING), 1, ours);
      report.bar(SpaceArea.overOutrigger(many, NAME, 3));
    }
  }
}
