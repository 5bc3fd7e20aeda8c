package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.api.BagOfTasks;
import io.gleaner.api.Bundle;
import io.gleaner.api.Gleaner;
import io.gleaner.api.rest.LocalNode;
import io.gleaner.bag.Bags.Summary;
import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.node.NodeSettings.Keeping;
import io.gleaner.node.NodeSettings.Listening;
import io.gleaner.node.NodeSettings.PassphraseSource;
import io.gleaner.node.tasks.SquareTask;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecretFile;
import io.gleaner.storage.ServerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node is killed in the middle of a bag and started again in the same folder. */
@Timeout(240)
class NodeKillTest {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final int TASKS = 40;

  @TempDir private Path folder;

  @Test
  @Tag("F4")
  void aBagGoesOnThoughTheNodeIsKilledAndIsPaidOnce() throws Exception {
    goesOn(settings -> settings, List.of());
  }

  @Test
  @Tag("F4")
  void aBagGoesOnInADatabaseOfPostgresqlAndANodeThatIsStartedTwiceEnds() throws Exception {
    try (PostgresProcess postgres = PostgresProcess.start()) {
      ServerSettings server = ServerSettings.of(postgres.url(), "gleaner", Optional.empty());
      Path passphrase = folder.resolve("passphrase");
      SecretFile.write(passphrase, Secret.random());
      List<String> options =
          List.of(
              "--database",
              postgres.url(),
              "--database-user",
              "gleaner",
              "--passphrase-file",
              passphrase.toString());
      UnaryOperator<NodeSettings> shared =
          settings -> settings.with(Keeping.on(server)).with(PassphraseSource.in(passphrase));
      goesOn(shared, options);
      try (NodeProcess first = NodeProcess.up(new Home(folder.resolve("first")), 0, 0, options);
          Node second =
              Node.start(
                  shared.apply(
                      NodeSettings.in(new Home(folder.resolve("second"))).with(Listening.on(0, 0))),
                  sentence -> {})) {
        assertThat(first.ends()).contains("the space of this node is over or goes on elsewhere");
        assertThat(second.ledgerProblems()).isEmpty();
      }
    }
  }

  private void goesOn(UnaryOperator<NodeSettings> placed, List<String> options) throws Exception {
    long seed = TestMarket.seed();
    int tasks = 1 + new Random(seed).nextInt(TASKS / 2);
    System.out.println("killed after " + tasks + " tasks, seed " + seed);
    Home home = new Home(folder.resolve("node"));
    int gateway = NodeProcess.lastingPort();
    int console = NodeProcess.lastingPort();
    String jobId;
    TestLauncher olga;
    try (NodeProcess first = NodeProcess.up(home, gateway, console, options)) {
      LocalNode local = LocalNode.in(home.folder()).orElseThrow();
      olga =
          new TestLauncher(
              "127.0.0.1:" + gateway, local.joinToken().orElseThrow(), folder.resolve("olga"));
      olga.starts();
      jobId = submits(local).id();
      hasCompleted(local, jobId, tasks);
      first.isKilled();
    }
    try (olga;
        Node again =
            Node.start(
                placed.apply(NodeSettings.in(home).with(Listening.on(gateway, console))),
                sentence -> {})) {
      await("the bag ends")
          .atMost(DEADLINE)
          .until(() -> again.bags().find(jobId).orElseThrow().ended().isPresent());
      Summary bag = again.bags().find(jobId).orElseThrow();
      assertThat(bag.completed()).as(bag.toString()).isEqualTo(TASKS);
      List<TaskOutcome> outcomes = again.bags().outcomes(jobId, -1, TASKS + 1);
      assertThat(outcomes).hasSize(TASKS);
      for (TaskOutcome outcome : outcomes) {
        long number = outcome.taskIndex() + 1L;
        byte[] output = again.blobs().all().read(outcome.outputDigest().orElseThrow());
        assertThat(new String(output, StandardCharsets.UTF_8))
            .isEqualTo(Long.toString(number * number));
      }
      long paid = outcomes.stream().mapToLong(TaskOutcome::paidMicros).sum();
      assertThat(bag.spentMicros()).isPositive().isEqualTo(paid);
      assertThat(again.ledger().balance("owner/" + Node.OPERATOR)).isEqualTo(paid);
      await("the rest is refunded")
          .atMost(DEADLINE)
          .until(() -> again.ledger().balance("escrow/" + jobId) == 0);
      assertThat(again.ledger().balance("user/" + Node.OPERATOR))
          .isEqualTo(again.settings().market().firstGrantMicros() - paid);
      assertThat(again.ledgerProblems()).isEmpty();
      assertThat(olga.isAlive()).isTrue();
    }
  }

  private static BagOfTasks submits(LocalNode local) {
    try (Gleaner market = Gleaner.connect(local.console(), local.commandToken())) {
      return market
          .bag("squares", Bundle.of(SquareTask.class), SquareTask.class.getName())
          .range("number", 1, TASKS)
          .value("spin_millis", 150)
          .unitsPerTask(0.2)
          .budget(100)
          .submit();
    }
  }

  private static void hasCompleted(LocalNode local, String jobId, int tasks) {
    try (Gleaner market = Gleaner.connect(local.console(), local.commandToken())) {
      await(tasks + " tasks are completed")
          .atMost(DEADLINE)
          .until(() -> market.bag(jobId).progress().completed() >= tasks);
    }
  }
}
