package io.gleaner.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Lets clients work at the same time, each in a thread of its own. */
final class Load implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "bench-client");
            thread.setDaemon(true);
            return thread;
          });

  /** The units per second of all clients together. */
  double measure(Pattern pattern, Peer peer, int clients, double seconds) throws Exception {
    List<Pattern.Step> steps = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      steps.add(pattern.client(peer.client(i), i));
    }
    CountDownLatch ready = new CountDownLatch(clients);
    List<Callable<Double>> work = new ArrayList<>();
    for (Pattern.Step step : steps) {
      work.add(() -> rate(step, seconds, ready));
    }
    double sum = 0;
    for (Future<Double> rate : threads.invokeAll(work)) {
      sum += rate.get();
    }
    return sum;
  }

  private static double rate(Pattern.Step step, double seconds, CountDownLatch ready)
      throws Exception {
    ready.countDown();
    ready.await();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long units = 0;
    long now = start;
    while (now < end) {
      units += step.turn();
      now = System.nanoTime();
    }
    return units / ((now - start) / 1e9);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
