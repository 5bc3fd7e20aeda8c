package io.gleaner.gateway;

import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.SpreadNote;
import io.gleaner.space.TupleSpace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import net.jini.core.lease.Lease;

/**
 * Measures pairs of write and take per second, each client with a key of its own: in the node, and
 * through the gateway. A program, not a test; arguments: seconds of each measurement.
 */
public final class SpaceThroughput {
  private static final int[] CLIENTS = {1, 4, 16};

  private SpaceThroughput() {}

  /** Opens the space of one client. */
  private interface Opener {
    TupleSpace open(int client) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 3;
    Path folder = Files.createTempDirectory("throughput");
    System.out.printf(
        Locale.ROOT,
        "java %s, %d processors, 1 write and 1 take of an own key per pair, one outstanding"
            + " operation per client, memory only, %.1f s each after as long to warm up%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        seconds);
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        TestGateway gateway =
            TestGateway.start(engine, folder, quick -> GatewaySettings.onPort(0))) {
      for (int clients : CLIENTS) {
        report("embedded", clients, seconds, i -> SpaceClient.open(engine, "load", "client" + i));
      }
      List<GatewayConnection> connections = new ArrayList<>();
      for (int clients : CLIENTS) {
        while (connections.size() < clients) {
          connections.add(gateway.client());
        }
        report("gateway", clients, seconds, i -> connections.get(i).space("load"));
      }
      connections.forEach(GatewayConnection::close);
    }
  }

  private static void report(String where, int clients, double seconds, Opener opener)
      throws Exception {
    measure(clients, seconds, opener);
    System.out.printf(
        Locale.ROOT,
        "%-8s %2d clients: %,9.0f pairs/s%n",
        where,
        clients,
        measure(clients, seconds, opener));
  }

  private static double measure(int clients, double seconds, Opener opener) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    AtomicLong pairs = new AtomicLong();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      TupleSpace space = opener.open(i);
      String key = "client" + i;
      work.add(
          () -> {
            try (space) {
              for (int n = 0; System.nanoTime() < end; n++) {
                space.write(new SpreadNote(key, n), null, Lease.FOREVER);
                if (space.take(new SpreadNote(key, null), null, 0) == null) {
                  throw new IllegalStateException("the entry just written is not there");
                }
                pairs.incrementAndGet();
              }
            }
            return null;
          });
    }
    long start = System.nanoTime();
    for (Future<Void> each : threads.invokeAll(work)) {
      each.get();
    }
    threads.shutdown();
    return pairs.get() / ((System.nanoTime() - start) / 1e9);
  }
}
