package io.gleaner.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes are told once per bag and moment, and a failing subscriber harms nobody else. */
@Timeout(30)
class ChangeFeedTest {

  @Test
  void manyChangesOfABagWithinAMomentAreToldOnce() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (ChangeFeed feed = new ChangeFeed(Duration.ofMillis(300))) {
      AutoCloseable failing =
          feed.subscribe(
              jobId -> {
                throw new IllegalStateException("this subscriber fails");
              });
      AutoCloseable subscription = feed.subscribe(told::add);
      for (int i = 0; i < 10_000; i++) {
        feed.changed("a");
        feed.changed("b");
      }
      await().untilAsserted(() -> assertThat(told).startsWith("a", "b"));
      assertThat(told.size()).isLessThan(200);

      failing.close();
      subscription.close();
      int before = told.size();
      feed.changed("a");
      assertThat(told).hasSize(before);
    }
  }
}
