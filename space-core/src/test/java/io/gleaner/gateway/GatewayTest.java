package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceEvent;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(150)
class GatewayTest {
  @TempDir Path folder;
  private final RememberingEngine engine = new RememberingEngine();
  private TestGateway gateway;

  @BeforeEach
  void aGateway() throws Exception {
    gateway = TestGateway.start(engine, folder);
  }

  @AfterEach
  void closes() throws Exception {
    gateway.close();
  }

  @Test
  void aClientWritesAndTakesOnBehalfOfTheOwnerOfItsToken() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      Tuples tuples = Tuples.in(client.engine());

      assertThat(client.owner()).isEqualTo("ada");
      assertThat(client.role()).isEqualTo("application");
      assertThat(engine.holders()).containsExactly("ada/laptop/tests");
      assertThat(answer(tuples.write("a", "b"))).isInstanceOf(Reply.Written.class);
      assertThat(answer(tuples.take("a", 0))).isEqualTo(found("a"));
      assertThat(answer(tuples.take("a", 0))).isEqualTo(found());
    }
    await().untilAsserted(() -> assertThat(engine.sessionCount()).isZero());
    assertThat(gateway.server.clients()).isZero();
  }

  @Test
  void answersComeWhenTheyAreReadyAndNotInTurn() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      Tuples tuples = Tuples.in(client.engine());
      CompletableFuture<Reply> waiting = tuples.take("later", 60_000);
      List<CompletableFuture<Reply>> writes = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        writes.add(tuples.write("x" + i));
      }
      for (CompletableFuture<Reply> write : writes) {
        assertThat(answer(write)).isInstanceOf(Reply.Written.class);
      }
      assertThat(waiting).isNotDone();
      answer(tuples.write("later"));
      assertThat(answer(waiting)).isEqualTo(found("later"));
    }
  }

  @Test
  void eventsReachTheSessionThatAskedForThem() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      BlockingQueue<SpaceEvent> events = new LinkedBlockingQueue<>();
      client.engine().open("listener", events::add).get(60, TimeUnit.SECONDS);
      answer(Tuples.in(client.engine()).write("seen"));
      SpaceEvent event = events.poll(10, TimeUnit.SECONDS);
      assertThat(event).isNotNull();
      assertThat(event.entry()).contains(Tuples.tuple("seen"));
    }
  }

  @Test
  void aWrongTokenIsToldOnceAndClosed() throws Exception {
    assertThatThrownBy(
            () -> GatewayConnection.connect(gateway.address(), Secret.of("guess"), "laptop"))
        .isInstanceOfSatisfying(
            GatewayException.class, e -> assertThat(e.code()).isEqualTo(Code.TOKEN_REFUSED))
        .hasMessageContaining("wrong, expired or revoked")
        .hasMessageNotContaining("guess");
    try (RawClient raw = new RawClient(gateway.address())) {
      raw.sends(RawClient.hello(Secret.of("guess")));
      assertThat(raw.reads().getError().getCode()).isEqualTo(Wire.Error.Code.TOKEN);
      assertThat(raw.isClosedByGateway()).isTrue();
    }
    assertThat(engine.holders()).isEmpty();
  }

  @Test
  void nothingIsAnsweredBeforeTheHello() throws Exception {
    try (RawClient raw = new RawClient(gateway.address())) {
      raw.sends(Frames.client().setPing(Wire.Ping.getDefaultInstance()).build());
      assertThat(raw.reads().getError().getMessage()).contains("first frame must be a Hello");
      assertThat(raw.isClosedByGateway()).isTrue();
    }
    try (RawClient raw = new RawClient(gateway.address())) {
      raw.sends(
          Frames.client()
              .setHello(Wire.Hello.newBuilder().setHighestVersion(1).setName("raw"))
              .build());
      assertThat(raw.reads().getError().getMessage()).contains("carries no join token");
    }
    try (RawClient silent = new RawClient(gateway.address())) {
      assertThat(silent.reads().getError().getCode()).isEqualTo(Wire.Error.Code.TIMEOUT);
    }
  }

  @Test
  void aVersionThatNobodySpeaksIsRefused() throws Exception {
    try (RawClient raw = new RawClient(gateway.address())) {
      Wire.ClientFrame hello = RawClient.hello(gateway.token);
      raw.sends(
          hello.toBuilder()
              .setHello(hello.getHello().toBuilder().setLowestVersion(7).setHighestVersion(9))
              .build());
      assertThat(raw.reads().getError().getCode()).isEqualTo(Wire.Error.Code.VERSION);
    }
  }

  @Test
  void garbageClosesItsConnectionWithTheReasonAndHurtsNobodyElse() throws Exception {
    try (GatewayConnection client = gateway.client();
        RawClient garbage = RawClient.welcomed(gateway);
        RawClient oversized = RawClient.welcomed(gateway)) {
      Tuples tuples = Tuples.in(client.engine());
      garbage.sends("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(garbage.reads().getError().getCode()).isEqualTo(Wire.Error.Code.MALFORMED);
      assertThat(garbage.isClosedByGateway()).isTrue();
      oversized.sendsLength(2_000_000_000);
      assertThat(oversized.reads().getError().getCode()).isEqualTo(Wire.Error.Code.FRAME_TOO_LARGE);
      assertThat(oversized.isClosedByGateway()).isTrue();

      assertThat(answer(tuples.write("still here"))).isInstanceOf(Reply.Written.class);
    }
    try (RawClient web = new RawClient(gateway.address())) {
      web.sends(new byte[] {(byte) 0xff, 1, 2, 3});
      assertThat(web.reads().getError().getCode()).isEqualTo(Wire.Error.Code.MALFORMED);
    }
  }

  @Test
  void anEntryOrABatchBeyondTheLimitsIsRefusedAndTheRestGoesOn() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      Tuples tuples = Tuples.in(client.engine());
      assertRefused(tuples.write("x".repeat(100_000)), Refusal.LIMIT, "65536");
      assertRefused(
          tuples.write(java.util.Collections.nCopies(101, "x").toArray(String[]::new)),
          Refusal.LIMIT,
          "101 entries");
      for (int i = 0; i < 2; i++) {
        answer(tuples.write(java.util.Collections.nCopies(80, "z").toArray(String[]::new)));
      }
      assertThat(answer(tuples.takeAny(1000)))
          .isInstanceOfSatisfying(
              Reply.Matched.class, r -> assertThat(r.entries()).as("a maximum").hasSize(100));
      assertThat(((Reply.Matched) answer(tuples.takeAny(1000))).entries()).hasSize(60);
      String[] tooMuch =
          java.util.Collections.nCopies(90, "y".repeat(20_000)).toArray(String[]::new);
      assertRefused(tuples.write(tooMuch), Refusal.LIMIT, "fewer or smaller entries");
      assertThat(answer(tuples.write("fits"))).isInstanceOf(Reply.Written.class);
    }
    assertThat(engine.entryCount()).isEqualTo(1);
  }

  @Test
  void anAnswerLargerThanAFrameArrivesWhole() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      Tuples tuples = Tuples.in(client.engine());
      String[] texts = new String[60];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = i + "y".repeat(60_000);
        assertThat(answer(tuples.write(texts[i]))).isInstanceOf(Reply.Written.class);
      }
      assertThat(answer(tuples.takeAny(100))).isEqualTo(found(texts));
    }
  }

  @Test
  void tooManyWaitingOperationsAreRefusedAndTheFirstStillWait() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      Tuples tuples = Tuples.in(client.engine());
      List<CompletableFuture<Reply>> waiting = new ArrayList<>();
      for (int i = 0; i < SpaceEngine.WINDOW; i++) {
        waiting.add(tuples.take("w" + i, 60_000));
      }
      assertRefused(tuples.take("more", 60_000), Refusal.OVERLOADED, "unanswered operations");
      Tuples other = Tuples.in(gateway.engine);
      answer(other.write("w7"));
      assertThat(answer(waiting.get(7))).isEqualTo(found("w7"));
    }
  }

  @Test
  void anOwnerHasOnlySoManyConnections() throws Exception {
    List<GatewayConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        open.add(gateway.client());
      }
      assertThatThrownBy(gateway::client)
          .isInstanceOfSatisfying(
              GatewayException.class, e -> assertThat(e.code()).isEqualTo(Code.LIMIT))
          .hasMessageContaining("ada has 4 connections");
      open.remove(0).close();
      await().untilAsserted(() -> assertThat(gateway.server.clients()).isEqualTo(3));
      open.add(gateway.client());
    } finally {
      open.forEach(GatewayConnection::close);
    }
  }

  @Test
  void anUnknownSessionIsToldAndNotInvented() throws Exception {
    try (RawClient raw = RawClient.welcomed(gateway)) {
      raw.sends(
          Frames.client()
              .setExecute(CommandFrames.write(9, 1, 1, new Command.Begin(1000)))
              .build());
      Wire.Executed answer = raw.reads().getExecuted();
      assertThat(answer.getRefused().getCode()).isEqualTo(Wire.Refused.Code.UNKNOWN_SESSION);
    }
  }

  @Test
  @Tag("F9")
  void aReaderThatStopsReadingIsCutAndHoldsNoMemory() throws Exception {
    try (GatewayConnection client = gateway.client();
        RawClient slow = RawClient.welcomed(gateway)) {
      Tuples tuples = Tuples.in(client.engine());
      for (int i = 0; i < 100; i++) {
        answer(tuples.write("z".repeat(60_000)));
      }
      slow.sends(
          Frames.client().setOpenSession(Wire.OpenSession.newBuilder().setSession(1)).build());
      Command readAll =
          new Command.Match(
              "ada/s", Command.Mode.READ, List.of(Tuples.tuple("z".repeat(60_000))), 0, 0, 100);
      // Each answer has six megabytes; nobody reads them.
      try {
        for (int i = 1; i <= 60; i++) {
          slow.sends(Frames.client().setExecute(CommandFrames.write(1, i, 1, readAll)).build());
        }
      } catch (SocketException e) {
        // It was cut before it had asked so often.
      }
      await().untilAsserted(() -> assertThat(gateway.server.waitingOperations()).isZero());
      assertThat(answer(tuples.take("z".repeat(60_000), 0))).isNotEqualTo(found());
    }
    await().untilAsserted(() -> assertThat(gateway.server.clients()).isZero());
    assertThat(engine.effects()).as("reads beyond the full queue were not begun").isLessThan(140);
  }

  @Test
  void closingAnswersWhatWaitsWithNothing() throws Exception {
    try (GatewayConnection client = gateway.client()) {
      Tuples tuples = Tuples.in(client.engine());
      CompletableFuture<Reply> waiting = tuples.take("never", 60_000);
      await().until(() -> engine.waiterCount() == 1);
      gateway.server.close();
      assertThat(answer(waiting)).isEqualTo(found());
      await().until(() -> !client.isUp());
    }
    assertThat(engine.sessionCount()).isZero();
  }

  @Test
  void onlyLoopbackIsListenedOnAndConnectedTo() throws Exception {
    GatewaySettings s = TestGateway.quick();
    assertThatThrownBy(
            () ->
                TestGateway.start(
                    engine,
                    folder,
                    x ->
                        new GatewaySettings(
                            "0.0.0.0",
                            0,
                            s.frameBytes(),
                            s.entryBytes(),
                            s.batchEntries(),
                            s.waitingOperations(),
                            s.ofOwner(),
                            s.links(),
                            s.blobBytes(),
                            s.keepAlive(),
                            s.lease(),
                            s.patience(),
                            s.drain(),
                            s.rates())))
        .isInstanceOf(SecurityRefusal.class);
    assertThatThrownBy(
            () ->
                GatewayConnection.connect(
                    new GatewayAddress("192.0.2.1", 4701), gateway.token, "laptop"))
        .isInstanceOf(SecurityRefusal.class);
  }

  @Test
  void aPortWhereNothingOrSomethingElseAnswersIsNamed() throws Exception {
    GatewayAddress nobody;
    try (ServerSocket free = new ServerSocket(0)) {
      nobody = new GatewayAddress("127.0.0.1", free.getLocalPort());
    }
    assertThatThrownBy(() -> GatewayConnection.connect(nobody, gateway.token, "laptop"))
        .isInstanceOfSatisfying(
            GatewayException.class, e -> assertThat(e.code()).isEqualTo(Code.UNREACHABLE))
        .hasMessageContaining(nobody.toString());
  }

  private static void assertRefused(CompletableFuture<Reply> reply, Refusal code, String message)
      throws Exception {
    assertThat(answer(reply))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            r -> {
              assertThat(r.code()).isEqualTo(code);
              assertThat(r.message()).contains(message);
            });
  }
}
