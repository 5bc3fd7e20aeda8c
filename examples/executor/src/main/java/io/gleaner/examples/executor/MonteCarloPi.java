package io.gleaner.examples.executor;

import io.gleaner.api.Gleaner;
import io.gleaner.api.MarketExecutor;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Estimates pi: each call throws a million darts with a seed of its own. */
public final class MonteCarloPi {
  private static final int CALLS = 40;
  private static final int DARTS = 1_000_000;

  private MonteCarloPi() {}

  public static void main(String[] arguments) {
    try (Gleaner market = Gleaner.connect();
        MarketExecutor executor =
            market.executor().name("pi").unitsPerCall(0.05).budgetPerCall(0.5).open()) {
      List<CompletableFuture<Long>> calls =
          LongStream.range(0, CALLS)
              .mapToObj(seed -> executor.submit(() -> hits(seed, DARTS)))
              .toList();
      long hits = calls.stream().mapToLong(CompletableFuture::join).sum();
      System.out.printf("pi is about %.4f%n", 4.0 * hits / ((double) CALLS * DARTS));
    }
  }

  /** How many darts hit the quarter of a circle; the same for the same seed wherever it runs. */
  static long hits(long seed, int darts) {
    SplittableRandom random = new SplittableRandom(seed);
    long hits = 0;
    for (int i = 0; i < darts; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      hits += x * x + y * y < 1 ? 1 : 0;
    }
    return hits;
  }
}
