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
 * @param seed of all choices; the interleaving is not repeated
 */
public record Workload(Kind kind, int pairs, int operations, long seed) {

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
    long wait = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : JavaSpace.NO_WAIT;
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> client.write(key);
      case 3, 4 -> client.take(key, wait);
      case 5 -> client.takeIfExists(key, wait);
      case 6 -> client.read(key, wait);
      default -> transaction(client, random);
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
