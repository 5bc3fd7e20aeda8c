package io.gleaner.space;

import io.gleaner.storage.StorageSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Measures pairs of a write and a take in this process, each client with a key of its own: in
 * memory and durable, after each other.
 *
 * <p>Run by hand; argument: seconds for each line.
 */
final class DurableThroughput {
  private static final int[] CLIENTS = {1, 4, 16};

  private DurableThroughput() {}

  public static void main(String[] arguments) throws Exception {
    double seconds = Double.parseDouble(arguments[0]);
    System.out.printf(
        "%d processors, java %s, load %s%n",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"),
        Files.readString(Path.of("/proc/loadavg")).strip());
    Path folder = Files.createTempDirectory("gleaner-throughput");
    try (HazelcastSpace memory = HazelcastSpace.start(SpaceSettings.defaults());
        HazelcastSpace durable =
            HazelcastSpace.startDurable(SpaceSettings.defaults(), StorageSettings.in(folder))) {
      for (int clients : CLIENTS) {
        measure("in memory", memory, clients, seconds);
        measure("durable", durable, clients, seconds);
      }
    }
    System.exit(0);
  }

  private static void measure(String kind, HazelcastSpace engine, int clients, double seconds)
      throws Exception {
    AtomicBoolean counting = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    List<long[]> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      TupleSpace space = SpaceClient.open(engine, "test", "client " + i);
      String key = "key " + i;
      Thread thread = new Thread(() -> pairs(space, key, counting, ended, all));
      threads.add(thread);
      thread.start();
    }
    TimeUnit.SECONDS.sleep(2);
    counting.set(true);
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1000));
    counting.set(false);
    ended.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    long[] nanos = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    System.out.printf(
        "%-9s %2d clients %6.0f pairs/s, a write: p50 %5d us, p99 %6d us%n",
        kind,
        clients,
        nanos.length / seconds,
        nanos[nanos.length / 2] / 1000,
        nanos[(int) (nanos.length * 0.99)] / 1000);
  }

  private static void pairs(
      TupleSpace space, String key, AtomicBoolean counting, AtomicBoolean ended, List<long[]> all) {
    long[] nanos = new long[1 << 20];
    int count = 0;
    try {
      while (!ended.get()) {
        long begin = System.nanoTime();
        space.write(new Note(key, 1), null, Long.MAX_VALUE);
        long end = System.nanoTime();
        space.take(new Note(key, null), null, 0);
        if (counting.get() && count < nanos.length) {
          nanos[count++] = end - begin;
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    synchronized (all) {
      all.add(Arrays.copyOf(nanos, count));
    }
  }
}
