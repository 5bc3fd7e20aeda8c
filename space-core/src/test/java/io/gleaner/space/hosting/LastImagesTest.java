package io.gleaner.space.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An orderly end takes no longer for its images than it may. */
@Timeout(60)
class LastImagesTest {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final List<Integer> asked = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final LastImages images = new LastImages(Duration.ofMillis(50), nanos::get);

  private CompletableFuture<Void> ask(int cell, CompletableFuture<Void> answer) {
    asked.add(cell);
    return answer;
  }

  @Test
  void allAreKeptInTheirOrderIfThereIsTime() {
    assertThat(images.keep(List.of(3, 1, 2), cell -> ask(cell, DONE))).isEqualTo(3);
    assertThat(asked).containsExactly(3, 1, 2);
  }

  @Test
  void noneIsBegunWhenTheTimeIsOver() {
    int kept =
        images.keep(
            List.of(3, 1, 2),
            cell -> {
              nanos.addAndGet(Duration.ofMillis(30).toNanos());
              return ask(cell, DONE);
            });
    assertThat(kept).isEqualTo(2);
    assertThat(asked).containsExactly(3, 1);
  }

  @Test
  void oneThatDoesNotComeIsNotWaitedForWithoutEnd() {
    assertThat(images.keep(List.of(3, 1), cell -> ask(cell, new CompletableFuture<>()))).isZero();
    assertThat(asked).containsExactly(3);
  }

  @Test
  void oneThatFailsEndsIt() {
    var failed = CompletableFuture.<Void>failedFuture(new IllegalStateException("no room"));
    assertThat(images.keep(List.of(3, 1), cell -> ask(cell, cell == 3 ? DONE : failed)))
        .isEqualTo(1);
  }
}
