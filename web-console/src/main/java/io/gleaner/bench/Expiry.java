package io.gleaner.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import net.jini.space.JavaSpace;

/**
 * How late leases of entries end while other clients work: each watcher writes an entry with a
 * short lease and looks for it until it is gone. Its write and its last look are counted as late.
 */
final class Expiry implements Pattern {
  private static final int WORKERS = 4;
  private static final int WATCHERS = 4;
  private static final long LEASE_MILLIS = 25;
  private static final double GOAL_MILLIS = 50;
  private static final double SLICES = 4;

  private final AtomicInteger numbers = new AtomicInteger();

  @Override
  public String name() {
    return "leases of " + LEASE_MILLIS + " ms";
  }

  @Override
  public String unit() {
    return "leases";
  }

  @Override
  public Step client(Peer.Client client, int number) {
    Note template = Note.with("leased-" + number);
    return () -> {
      client.space().write(Note.of(template.key, numbers.incrementAndGet()), null, LEASE_MILLIS);
      while (client.space().readIfExists(template, null, JavaSpace.NO_WAIT) != null) {
        Thread.onSpinWait();
      }
      return 1;
    };
  }

  /** Measures each peer and tells a bar for those that are ours. */
  static void measure(Scale scale, Report report, Load load, List<Peer> peers) throws Exception {
    for (Peer peer : peers) {
      double late = p99LateMillis(load, peer, scale.sliceSeconds() * SLICES);
      String name = "p99-lease-end-under-load-" + peer.name();
      if (peer instanceof OutriggerPeer) {
        report.note(String.format(Locale.ROOT, "%s = %.2f ms late", name, late));
      } else {
        report.bar(Bar.atMost(name, late, "ms-late", GOAL_MILLIS));
      }
    }
  }

  private static double p99LateMillis(Load load, Peer peer, double seconds) throws Exception {
    for (int i = 0; i < WORKERS + WATCHERS; i++) {
      peer.client(i); // made by one thread
    }
    CompletableFuture<Double> work =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return load.measure(Pairs.ownKey("work"), peer, WORKERS, seconds);
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            });
    double turn = load.p99Millis(new Expiry(), new Others(peer), WATCHERS, () -> !work.isDone());
    work.join();
    return Math.max(0, turn - LEASE_MILLIS);
  }

  /** The clients of a peer that do not work at the same time. */
  private record Others(Peer peer) implements Peer {
    @Override
    public String name() {
      return peer.name();
    }

    @Override
    public Client client(int number) throws Exception {
      return peer.client(WORKERS + number);
    }

    @Override
    public void close() {}
  }
}
