package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Command;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client asks again after its connection broke meets limits otherwise than what is new. */
@Timeout(120)
class RepeatedOperationsTest {
  private static final long LONG_MILLIS = 3_600_000;
  private static final long SESSION_NAME = 4711;

  @TempDir static Path folder;
  private static HazelcastSpace space;

  @BeforeAll
  static void aSpace() {
    space = HazelcastSpace.start(SpaceSettings.defaults());
  }

  @AfterAll
  static void end() {
    space.close();
  }

  @Test
  @Tag("F7")
  void whatMayHaveBeenDoneIsNotRefusedForALimit() throws Exception {
    // Another node, whose clients of the same owner have asked as much as they may.
    try (TestGateway full = TestGateway.start(space, folder, s -> full());
        TestGateway lost = TestGateway.start(space, folder);
        CuttingProxy wire = CuttingProxy.to(lost.server.port())) {
      full.knows(lost.token);
      GatewayConnection resident = full.patientClient();
      Tuples its = Tuples.in(resident.engine());
      List<CompletableFuture<Reply>> waiting = new ArrayList<>();
      for (int i = 0; i < SpaceEngine.WINDOW; i++) {
        waiting.add(its.take("never", LONG_MILLIS));
      }
      await().until(() -> full.server.waitingOperations() == SpaceEngine.WINDOW);
      try (GatewayConnection client =
          GatewayConnection.connect(
              List.of(wire.address(), full.address()),
              lost.token,
              "mobile",
              new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(120)))) {
        Tuples tuples = Tuples.in(client.engine());
        answer(tuples.write("done"));
        wire.swallowsAnswers();
        CompletableFuture<Reply> take = tuples.take("done", 0);
        Tuples embedded = Tuples.in(space);
        await().until(() -> isGone(embedded, "done"));

        wire.bars(true);

        assertThat(answer(take)).isEqualTo(found("done"));
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(answer(tuples.write("new")))
            .isInstanceOfSatisfying(
                Reply.Refused.class,
                refused -> assertThat(refused.code()).isEqualTo(Reply.Refusal.OVERLOADED));
      }
      resident.close();
    }
  }

  private static boolean isGone(Tuples tuples, String text) throws Exception {
    return answer(
            tuples.execute(
                new Command.Match(
                    "ada/s", Command.Mode.READ, List.of(Tuples.tuple(text)), 0, 0, 1)))
        .equals(found());
  }

  @Test
  void whatAClientAsksElsewhereByNowIsNotCountedHere() throws Exception {
    try (TestGateway gateway = TestGateway.start(space, folder, s -> full())) {
      RawClient first = RawClient.welcomed(gateway);
      List<RawClient> clients = new ArrayList<>(List.of(first));
      try {
        asks(first, 1, false);
        await().until(() -> gateway.server.waitingOperations() == 1);
        RawClient second = RawClient.welcomed(gateway);
        clients.add(second);
        asks(second, 2, true);
        for (int sequence = 2; sequence < SpaceEngine.WINDOW; sequence++) {
          second.sends(executes(take(sequence, "never")));
        }
        await().until(() -> gateway.server.waitingOperations() == SpaceEngine.WINDOW);
        second.writes(1, SpaceEngine.WINDOW, "other");
        assertThat(second.reads().getExecuted().getRefused().getCode())
            .isEqualTo(Wire.Refused.Code.OVERLOADED);

        first.close();

        await()
            .until(
                () -> {
                  second.writes(1, SpaceEngine.WINDOW, "other");
                  return second.reads().getExecuted().hasWritten();
                });
        answer(Tuples.in(space).write("elsewhere"));
        assertThat(second.reads().getExecuted().getMatched().getEntriesCount()).isEqualTo(1);
      } finally {
        for (RawClient each : clients) {
          each.close();
        }
      }
    }
  }

  /** Opens the session, or takes it up, and waits in it for something. */
  private static void asks(RawClient raw, long tenure, boolean again) throws IOException {
    raw.sends(
        Frames.client()
            .setOpenSession(
                Wire.OpenSession.newBuilder()
                    .setSession(1)
                    .setName(SESSION_NAME)
                    .setTenure(tenure)
                    .setResume(again))
            .build());
    assertThat(raw.reads().getSessionOpened().getGone()).isFalse();
    raw.sends(executes(take(1, "elsewhere").toBuilder().setAgain(again).build()));
  }

  private static Wire.ClientFrame executes(Wire.Execute frame) {
    return Frames.client().setExecute(frame).build();
  }

  private static Wire.Execute take(long sequence, String text) {
    Command take =
        new Command.Match(
            "ada/s", Command.Mode.TAKE, List.of(Tuples.tuple(text)), 0, LONG_MILLIS, 1);
    return CommandFrames.write(1, sequence, 1, take);
  }

  /** A window of operations for all links of an owner together, and clients may be silent. */
  private static GatewaySettings full() {
    GatewaySettings quick = TestGateway.quick();
    return new GatewaySettings(
        quick.host(),
        quick.port(),
        quick.frameBytes(),
        quick.entryBytes(),
        quick.batchEntries(),
        quick.waitingOperations(),
        new OwnerLimits(4, SpaceEngine.WINDOW, 4 * 1024 * 1024),
        quick.links(),
        quick.blobBytes(),
        Duration.ofSeconds(60),
        quick.lease(),
        quick.patience(),
        quick.drain(),
        quick.rates());
  }
}
