package io.gleaner.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures patterns in peers, in alternation, and reports each row. */
final class Trials {
  private static final double NO_FASTER = 1.05;

  private final Scale scale;
  private final Report report;
  private final Load load;

  Trials(Scale scale, Report report, Load load) {
    this.scale = scale;
    this.report = report;
    this.load = load;
  }

  /** Lets the pattern run in every peer until it gets no faster: first figures would be too low. */
  void warmUp(Pattern pattern, List<? extends Peer> peers, int clients) throws Exception {
    for (Peer peer : peers) {
      double best = 0;
      double rate = load.measure(pattern, peer, clients, scale.warmUpSeconds());
      for (int i = 1; i < scale.warmUps() && rate > NO_FASTER * best; i++) {
        best = Math.max(best, rate);
        rate = load.measure(pattern, peer, clients, scale.warmUpSeconds());
      }
    }
  }

  /** Measures once. */
  Row once(Pattern pattern, int clients, List<? extends Peer> peers) throws Exception {
    return measure(pattern, clients, peers, 1);
  }

  /**
   * Measures repeatedly: all peers in turn, and at the very end the first once more, so that it
   * gains nothing from a machine that was quieter early or late.
   */
  Row repeatedly(Pattern pattern, int clients, List<? extends Peer> peers) throws Exception {
    return measure(pattern, clients, peers, scale.repetitions());
  }

  private Row measure(Pattern pattern, int clients, List<? extends Peer> peers, int repetitions)
      throws Exception {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    for (int i = 0; i < repetitions; i++) {
      for (Peer peer : peers) {
        sample(pattern, clients, peer, rates);
      }
    }
    if (repetitions > 1 && peers.size() > 1) {
      sample(pattern, clients, peers.get(0), rates);
    }
    Map<String, Samples> samples = new LinkedHashMap<>();
    rates.forEach((peer, values) -> samples.put(peer, Samples.of(values)));
    Row row = new Row(pattern.name(), clients, pattern.unit(), samples);
    report.row(row);
    return row;
  }

  private void sample(Pattern pattern, int clients, Peer peer, Map<String, List<Double>> rates)
      throws Exception {
    load.measure(pattern, peer, clients, scale.sliceSeconds() / 4);
    rates
        .computeIfAbsent(peer.name(), name -> new ArrayList<>())
        .add(load.measure(pattern, peer, clients, scale.sliceSeconds()));
  }
}
