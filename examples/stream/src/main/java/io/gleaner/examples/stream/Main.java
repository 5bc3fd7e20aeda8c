package io.gleaner.examples.stream;

import io.gleaner.api.BagOfTasks;
import io.gleaner.api.Gleaner;
import io.gleaner.api.TaskResult;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Submits a bag and prints each result when it comes, one at a time. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    try (Gleaner market = Gleaner.connect()) {
      BagOfTasks bag =
          market
              .bagOf(CountPrimes.class)
              .range("from", BigDecimal.ZERO, new BigDecimal(990_000), new BigDecimal(10_000))
              .unitsPerTask(0.05)
              .budget(10)
              .submit();
      Sum sum = new Sum();
      bag.results().subscribe(sum);
      System.out.printf("%d primes below a million%n", sum.whole.join());
      System.out.printf("%.6f credits spent%n", bag.progress().spentMicros() / 1e6);
    }
  }

  /** Takes one result after the other. */
  private static final class Sum implements Flow.Subscriber<TaskResult> {
    final CompletableFuture<Long> whole = new CompletableFuture<>();
    private Flow.Subscription subscription;
    private long primes;

    @Override
    public void onSubscribe(Flow.Subscription its) {
      subscription = its;
      subscription.request(1);
    }

    @Override
    public void onNext(TaskResult result) {
      long count = Long.parseLong(new String(result.output(), StandardCharsets.US_ASCII));
      primes += count;
      System.out.printf(
          "from %6d: %4d primes, by %s%n",
          result.parameters().longInteger("from"), count, result.launcherId());
      subscription.request(1);
    }

    @Override
    public void onError(Throwable failure) {
      whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      whole.complete(primes);
    }
  }
}
