package io.gleaner.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RateTest {
  private static final int AT_ONCE = 5;
  private static final Duration ONE_MORE = Duration.ofSeconds(2);

  // Clocks that count from anywhere, also over their largest value.
  private long nanos = Long.MAX_VALUE - 1;
  private final Rate rate = new Rate(AT_ONCE, ONE_MORE, () -> nanos);

  @Test
  void soManyAtOnceAndOneMoreEverySoOften() {
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(rate.asks()).isZero();
    }
    assertThat(rate.asks()).isEqualTo(ONE_MORE.toNanos());
    nanos += ONE_MORE.toNanos() - 1;
    assertThat(rate.asks()).isEqualTo(1);
    nanos++;
    assertThat(rate.asks()).isZero();
    assertThat(rate.asks()).isPositive();
  }

  @Test
  void whoWaitsLongMayAskNoMoreThanThatAtOnce() {
    rate.givesBack();
    nanos += Duration.ofDays(1).toNanos();
    assertThat(rate.isUnused()).isTrue();
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(rate.asks()).isZero();
    }
    assertThat(rate.asks()).isPositive();
    assertThat(rate.isUnused()).isFalse();
    rate.givesBack();
    assertThat(rate.asks()).isZero();
  }

  @Test
  void severalThreadsTogetherGetAsMany() throws Exception {
    int many = 10_000;
    Rate shared = new Rate(many, ONE_MORE, () -> 0);
    AtomicInteger through = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int t = 0; t < 4; t++) {
      threads.execute(
          () -> {
            for (int i = 0; i < many; i++) {
              if (shared.asks() == 0) {
                through.incrementAndGet();
              }
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(through).hasValue(many);
  }

  @Test
  void aRateThatLetsNobodyThroughIsRefused() {
    assertThatThrownBy(() -> new Rate(0, ONE_MORE, () -> 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Rate(1, Duration.ZERO, () -> 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
