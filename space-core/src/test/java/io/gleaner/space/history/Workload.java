package io.gleaner.space.history;

import io.gleaner.space.TupleSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jini.space.JavaSpace;

/**
 * Random operations of many clients at once on few keys, alone and under transactions over two
 * keys, all recorded.
 *
 * @param kind of which class the entries are
 * @param pairs pairs of keys; a transaction stays in one pair
 * @param operations how many each client does
 * @param mix of what
 * @param seed of all choices; the interleaving is not repeated
 */
public record Workload(Kind kind, int pairs, int operations, Mix mix, long seed) {

  /** What clients do, and how long they wait for it. */
  public enum Mix {
    /** There is mostly something, and who waits hardly waits. */
    PLENTY(3, 7, 3, 5),
    /** There is mostly nothing, and whoever takes waits for it. */
    SCARCE(1, 8, 1, 100);

    private final int writes;
    private final int transactionsFrom;
    private final int oneWaitsOf;
    private final int waitMillis;

    Mix(int writes, int transactionsFrom, int oneWaitsOf, int waitMillis) {
      this.writes = writes;
      this.transactionsFrom = transactionsFrom;
      this.oneWaitsOf = oneWaitsOf;
      this.waitMillis = waitMillis;
    }
  }

  /** One with plenty to find. */
  public Workload(Kind kind, int pairs, int operations, long seed) {
    this(kind, pairs, operations, Mix.PLENTY, seed);
  }

  /** Runs one thread for each client and waits for all of them. */
  public void run(History history, List<? extends TupleSpace> clients) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        RecordingClient client = history.client("client " + i, clients.get(i), kind);
        Random random = new Random(seed + i);
        running.add(
            threads.submit(
                () -> {
                  for (int done = 0; done < operations; done++) {
                    once(client, random);
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get(500, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void once(RecordingClient client, Random random) throws Exception {
    String key = key(random.nextInt(pairs), random);
    boolean waits = random.nextInt(mix.oneWaitsOf) == 0;
    long wait = waits ? 1 + random.nextInt(mix.waitMillis) : JavaSpace.NO_WAIT;
    int choice = random.nextInt(10);
    if (choice < mix.writes) {
      client.write(key);
    } else if (choice >= mix.transactionsFrom) {
      transaction(client, random);
    } else if (choice == 6) {
      client.read(key, wait);
    } else if (choice == 5) {
      client.takeIfExists(key, wait);
    } else {
      client.take(key, wait);
    }
  }

  private void transaction(RecordingClient client, Random random) throws Exception {
    int pair = random.nextInt(pairs);
    Optional<Work> begun = client.begin();
    if (begun.isEmpty()) {
      return;
    }
    Work work = begun.get();
    for (int i = 0; i <= random.nextInt(4); i++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> work.write(key(pair, random));
        case 2 -> work.take(key(pair, random), random.nextInt(3));
        default -> work.read(key(pair, random), JavaSpace.NO_WAIT);
      }
    }
    if (random.nextInt(4) == 0) {
      work.abort();
    } else {
      work.commit();
    }
  }

  private static String key(int pair, Random random) {
    return "key" + (2 * pair + random.nextInt(2));
  }
}
