package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.bag.Bags.Summary;
import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.maker.Economy;
import io.gleaner.node.tasks.FaultyTask;
import io.gleaner.node.tasks.ResumingTask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The life of a task from end to end: a real node, real launcher processes, and what befalls them.
 */
@Timeout(180)
class MarketStoryTest {

  @Test
  void aBagRunsToItsEndAndItsOwnersArePaid() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      var olga = market.launcher("olga").joins();
      Summary bag = market.submits("ada", 20, 20);
      List<TaskOutcome> outcomes = market.awaits(bag).isComplete();
      for (TaskOutcome outcome : outcomes) {
        long number = outcome.taskIndex() + 1L;
        byte[] output = market.node().blobs().all().read(outcome.outputDigest().orElseThrow());
        assertThat(new String(output, StandardCharsets.UTF_8))
            .isEqualTo(Long.toString(number * number));
      }
      Summary ended = market.node().bags().find(bag.jobId()).orElseThrow();
      assertThat(ended.spentMicros())
          .isPositive()
          .isEqualTo(outcomes.stream().mapToLong(TaskOutcome::paidMicros).sum());
      assertThat(market.earnedBy(olga)).isEqualTo(ended.spentMicros());
      market.untilBalance("escrow/" + bag.jobId(), 0);
    }
  }

  @Test
  void aBagThatTakesMoreWorkThanEstimatedHasMoneyForItsLastTask() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      market.launcher("olga").joins();
      Summary bag = market.submits("ada", 8, 200, "estimate: {units_per_task: 0.001}");
      assertThat(market.awaits(bag).isComplete())
          .allSatisfy(
              outcome -> assertThat(outcome.paidMicros()).isBetween(1L, bag.budgetMicros() / 8));
    }
  }

  @Test
  @Tag("F4")
  void aTaskOfAVanishedLauncherRunsElsewhereAndIsPaidOnce() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      var olga = market.launcher("olga").joins();
      Summary bag = submitsResuming(market);
      market.awaits(bag).isRunningOn(olga);
      olga.isKilled();
      var otto = market.launcher("otto").joins();
      List<TaskOutcome> outcomes = market.awaits(bag).isComplete();
      assertThat(outcomes).extracting(TaskOutcome::launcherId).containsExactly(otto.id());
      assertThat(market.earnedBy(otto)).isPositive().isEqualTo(outcomes.get(0).paidMicros());
      assertThat(market.earnedBy(olga)).isZero();
    }
  }

  @Test
  @Tag("F4")
  void nothingOfAKilledLauncherStaysBehind() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      var olga = market.launcher("olga").joins();
      Summary bag = market.submits("ada", 1, 60_000);
      market.awaits(bag).isRunningOn(olga);
      market.until("child runs", () -> olga.processes().size() > 1);
      List<ProcessHandle> processes = olga.processes();
      olga.isKilled();
      await("its children end with it")
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> processes.stream().noneMatch(TestLauncher::isRunning));
      market.node().bags().cancel(bag.jobId(), "the test is over");
    }
  }

  @Test
  @Tag("F5")
  void aFrozenLauncherWakesTooLateToCommit() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      var olga = market.launcher("olga").joins();
      Summary bag = submitsResuming(market);
      market.awaits(bag).isRunningOn(olga);
      olga.isFrozen();
      var otto = market.launcher("otto").joins();
      List<TaskOutcome> outcomes = market.awaits(bag).isComplete();
      olga.wakes();
      assertThat(outcomes).extracting(TaskOutcome::launcherId).containsExactly(otto.id());
      market.until(
          "olga is back and idle",
          () ->
              market.node().market().launchers().stream()
                  .anyMatch(l -> l.launcherId().equals(olga.id()) && l.running().isEmpty()));
      assertThat(market.earnedBy(olga)).isZero();
      assertThat(market.node().bags().outcomes(bag.jobId(), -1, 10)).isEqualTo(outcomes);
    }
  }

  @Test
  void cancelWinsAndTheRestIsRefunded() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      market.launcher("olga").joins();
      Summary bag = market.submits("ada", 500, 50);
      market.awaits(bag).hasCompleted(3);
      Summary cancelled = market.node().bags().cancel(bag.jobId(), "changed my mind");
      assertThat(cancelled.state()).isEqualTo("CANCELLED");
      market.awaits(bag).hasEnded("CANCELLED");
      market.untilBalance("escrow/" + bag.jobId(), 0);
      long spent = market.node().bags().find(bag.jobId()).orElseThrow().spentMicros();
      market.untilBalance("user/ada", market.node().settings().market().firstGrantMicros() - spent);
    }
  }

  @Test
  void aCancelStopsWhatRunsAndFreesTheLauncher() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      var olga = market.launcher("olga").joins();
      Summary endless = market.submits("ada", 1, 600_000);
      market.awaits(endless).isRunningOn(olga);
      market.node().bags().cancel(endless.jobId(), "changed my mind");
      Summary next = market.submits("bob", 3, 10);
      market.awaits(next).isComplete();
    }
  }

  @Test
  void aTaskThatFailsThreeTimesIsParkedWithItsReason() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      market.launcher("olga").joins();
      Summary bag =
          market.submits(
              "ada", FaultyTask.class, "  number: {range: {from: 0, to: 3}}", "max_attempts: 3");
      Summary ended = market.awaits(bag).hasEnded("DONE");
      assertThat(ended.completed()).isEqualTo(2);
      assertThat(ended.failed()).isEqualTo(2);
      assertThat(market.node().bags().outcomes(bag.jobId(), -1, 10))
          .filteredOn(outcome -> outcome.outputDigest().isEmpty())
          .allSatisfy(
              outcome -> {
                assertThat(outcome.reason()).contains("odd numbers are beyond me");
                assertThat(outcome.logTail()).contains("about to fail");
                assertThat(outcome.paidMicros()).isZero();
              });
    }
  }

  @Test
  void fairShareServesEverybodyWithoutPrices() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed(), Economy.FAIR_SHARE)) {
      Summary adas = market.submits("ada", 80, 100);
      Summary bobs = market.submits("bob", 80, 100);
      market.launcher("olga").starts();
      market.launcher("otto").starts();
      market.until(
          "both are served at the same time",
          () ->
              market.node().market().contracts().stream()
                      .map(contract -> contract.jobId())
                      .distinct()
                      .count()
                  == 2);
      market.awaits(adas).isComplete();
      market.awaits(bobs).isComplete();
      market.untilBalance("user/ada", market.node().settings().market().firstGrantMicros());
    }
  }

  @Test
  void theHigherBidIsServedFirst() throws Exception {
    try (var market = TestMarket.start(TestMarket.seed())) {
      Summary poor = market.submits("bob", 20, 50, "price_limit: {per_unit: 1}");
      Summary rich = market.submits("ada", 20, 50, "price_limit: {per_unit: 5}");
      var olga = market.launcher("olga").asking("0.5").joins();
      Instant richEnded = market.awaits(rich).hasEnded("DONE").ended().orElseThrow();
      Instant poorEnded = market.awaits(poor).hasEnded("DONE").ended().orElseThrow();
      assertThat(richEnded).isBefore(poorEnded);
      assertThat(market.earnedBy(olga)).isPositive();
    }
  }

  @Test
  void aNodeWithItsSpaceInMemoryRefundsWhatItCanNoLongerRun() throws Exception {
    try (var market = TestMarket.startInMemory(TestMarket.seed())) {
      Summary bag = market.submits("ada", 5, 10);
      market.restarts();
      Summary after = market.awaits(bag).hasEnded("CANCELLED");
      assertThat(after.note()).contains("restart");
      market.untilBalance("user/ada", market.node().settings().market().firstGrantMicros());
    }
  }

  /** One task that runs for so long that it is seen, and then only once. */
  private static Summary submitsResuming(TestMarket market) {
    return market.submits("ada", ResumingTask.class, "  millis: 30000");
  }
}
