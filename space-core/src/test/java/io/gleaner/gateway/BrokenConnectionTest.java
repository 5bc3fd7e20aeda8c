package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The connection breaks at bad moments; what was asked happens once all the same. */
@Timeout(150)
class BrokenConnectionTest {
  @TempDir Path folder;
  private final RememberingEngine engine = new RememberingEngine();
  private TestGateway gateway;
  private CuttingProxy wire;
  private GatewayConnection client;
  private Tuples tuples;

  @BeforeEach
  void aClientBehindAWireThatCanBeCut() throws Exception {
    gateway = TestGateway.start(engine, folder);
    wire = CuttingProxy.to(gateway.server.port());
    client = gateway.client(wire.address());
    tuples = Tuples.in(client.engine());
  }

  @AfterEach
  void closes() throws Exception {
    client.close();
    wire.close();
    gateway.close();
  }

  @Test
  void aTakeWhoseAnswerWasLostTakesOneEntry() throws Exception {
    answer(tuples.write("one", "one"));
    wire.swallowsAnswers();
    CompletableFuture<Reply> take = tuples.take("one", 0);
    await().until(() -> engine.entryCount() == 1);
    assertThat(take).isNotDone();

    wire.cut();

    assertThat(answer(take)).isEqualTo(found("one"));
    assertThat(engine.entryCount()).as("the retry took no second entry").isEqualTo(1);
    assertThat(engine.effects()).as("one write, one take").isEqualTo(2);
    assertThat(wire.connections()).isEqualTo(2);
  }

  @Test
  void aTakeThatWaitsGoesOnWaitingThroughABrokenConnection() throws Exception {
    CompletableFuture<Reply> take = tuples.take("awaited", 60_000);
    await().until(() -> engine.waiterCount() == 1);
    wire.cut();
    await().until(() -> wire.connections() == 2 && client.isUp());
    assertThat(engine.waiterCount()).isEqualTo(1);
    assertThat(client.hasLostSessions()).isFalse();

    answer(tuples.write("awaited"));

    assertThat(answer(take)).isEqualTo(found("awaited"));
    assertThat(engine.entryCount()).isZero();
  }

  @Test
  void anEntryThatArrivesWhileTheClientIsAwayIsHandedToItOnce() throws Exception {
    CompletableFuture<Reply> take = tuples.take("awaited", 60_000);
    await().until(() -> engine.waiterCount() == 1);
    wire.bars(true);
    await().until(() -> !client.isUp());
    answer(Tuples.in(engine).write("awaited"));
    assertThat(take).isNotDone();

    wire.bars(false);

    assertThat(answer(take)).isEqualTo(found("awaited"));
  }

  @Test
  void aPipelineThatIsCutAgainAndAgainLosesAndDoublesNothing() throws Exception {
    long seed = Long.getLong("gleaner.seed", System.nanoTime());
    System.out.println("BrokenConnectionTest gleaner.seed=" + seed);
    Random random = new Random(seed);
    List<CompletableFuture<Reply>> writes = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 50; i++) {
        writes.add(tuples.write("entry"));
      }
      if (random.nextBoolean()) {
        wire.swallowsAnswers();
      }
      await().pollDelay(Duration.ofMillis(random.nextInt(30) + 1)).until(() -> true);
      wire.cut();
      for (CompletableFuture<Reply> write : writes) {
        assertThat(answer(write)).isInstanceOf(Reply.Written.class);
      }
    }
    assertThat(engine.entryCount()).isEqualTo(writes.size()).isEqualTo(500);
  }

  @Test
  void aClientThatStaysAwayLosesItsSessionAndIsToldSo() throws Exception {
    CompletableFuture<Reply> take = tuples.take("awaited", 60_000);
    await().until(() -> engine.waiterCount() == 1);
    wire.bars(true);
    await().atMost(Duration.ofSeconds(60)).until(() -> engine.sessionCount() == 0);
    wire.bars(false);

    assertThat(answer(take))
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.code()).isEqualTo(Refusal.OUTCOME_UNKNOWN));
    assertThat(answer(tuples.write("late")))
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.code()).isEqualTo(Refusal.UNKNOWN_SESSION));
    assertThat(client.hasLostSessions()).isTrue();
    assertThat(client.isOver()).isFalse();
    Tuples fresh = Tuples.in(client.engine());
    assertThat(answer(fresh.write("fresh"))).isInstanceOf(Reply.Written.class);
  }

  @Test
  void aClientThatCannotComeBackGivesUpAfterItsTime() throws Exception {
    try (GatewayConnection impatient =
        GatewayConnection.connect(
            wire.address(),
            gateway.token,
            "impatient",
            new ConnectSettings(Duration.ofSeconds(1), Duration.ofMillis(500)))) {
      Tuples its = Tuples.in(impatient.engine());
      CompletableFuture<Reply> take = its.take("never", 60_000);
      wire.bars(true);

      assertThatThrownBy(() -> answer(take))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(GatewayException.class)
          .hasMessageContaining("did not come back within");
      assertThat(impatient.lost().get(60, TimeUnit.SECONDS).code()).isEqualTo(Code.LOST);
      assertThatThrownBy(() -> answer(its.write("x"))).hasCauseInstanceOf(GatewayException.class);
      wire.bars(false);
    }
  }

  @Test
  void aTokenRevokedInTheMeantimeEndsTheLink() throws Exception {
    CompletableFuture<Reply> take = tuples.take("never", 60_000);
    gateway.tokens.revoke(gateway.token);
    wire.cut();

    assertThatThrownBy(() -> answer(take)).hasMessageContaining("wrong, expired or revoked");
    assertThat(client.lost().get(60, TimeUnit.SECONDS).code()).isEqualTo(Code.TOKEN_REFUSED);
  }
}
