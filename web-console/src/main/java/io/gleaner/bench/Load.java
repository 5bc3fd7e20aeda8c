package io.gleaner.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

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

  /** The 99th percentile of the time of a turn in milliseconds, while the clients go on. */
  double p99Millis(Pattern pattern, Peer peer, int clients, BooleanSupplier goesOn)
      throws Exception {
    List<Callable<List<Long>>> work = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Pattern.Step step = pattern.client(peer.client(i), i);
      work.add(() -> turnNanos(step, goesOn));
    }
    List<Long> all = new ArrayList<>();
    for (Future<List<Long>> turns : threads.invokeAll(work)) {
      all.addAll(turns.get());
    }
    Collections.sort(all);
    return all.get((int) (all.size() * 0.99)) / 1e6;
  }

  private static List<Long> turnNanos(Pattern.Step step, BooleanSupplier goesOn) throws Exception {
    List<Long> turns = new ArrayList<>();
    do {
      long start = System.nanoTime();
      step.turn();
      turns.add(System.nanoTime() - start);
    } while (goesOn.getAsBoolean());
    return turns;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
