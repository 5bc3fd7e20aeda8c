package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that come, stay silent, and are there when the node goes. */
@Timeout(150)
class ArrivalsTest {
  private static final int STRANGERS = 64;
  @TempDir Path folder;
  private final RememberingEngine engine = new RememberingEngine();

  @Test
  @Tag("F9")
  void socketsThatSayNothingAreFewAndKeepNobodyAway() throws Exception {
    Deque<RawClient> silent = new ArrayDeque<>();
    try (TestGateway gateway = TestGateway.start(engine, folder, s -> TestGateway.patient(4, 8))) {
      for (int i = 0; i < STRANGERS; i++) {
        silent.add(new RawClient(gateway.address()));
      }
      await().until(() -> gateway.server.strangers() == STRANGERS);
      try (GatewayConnection client = gateway.client()) {
        assertThat(answer(Tuples.in(client.engine()).write("x"))).isInstanceOf(Reply.Written.class);
        try (RawClient oldest = silent.remove()) {
          Wire.Error refusal = oldest.reads().getError();
          assertThat(refusal.getCode()).isEqualTo(Wire.Error.Code.TIMEOUT);
          assertThat(refusal.getMessage()).contains("waited longest; try again");
          assertThat(oldest.isClosedByGateway()).isTrue();
        }
      }
      assertThat(gateway.server.strangers()).isLessThan(STRANGERS);
    } finally {
      for (RawClient each : silent) {
        each.close();
      }
    }
  }

  @Test
  void aHelloThatTricklesInIsCutLikeOneThatDoesNotCome() throws Exception {
    try (TestGateway gateway = TestGateway.start(engine, folder);
        RawClient slow = new RawClient(gateway.address())) {
      slow.sendsLength(4000);
      await()
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                // A byte after the end could cost the answer.
                boolean answered = slow.hasAnswer();
                if (!answered) {
                  slow.trickles();
                }
                return answered;
              });
      assertThat(slow.reads().getError().getMessage()).startsWith("no Hello within");
    }
  }

  @Test
  void whoIsSilentIsCutAndWhoSpeaksIsNot() throws Exception {
    try (TestGateway gateway = TestGateway.start(engine, folder);
        GatewayConnection client = gateway.client();
        RawClient silent = RawClient.welcomed(gateway)) {
      Tuples tuples = Tuples.in(client.engine());
      CompletableFuture<Reply> waiting = tuples.take("late", 600_000);
      Wire.Error cut = silent.reads().getError();
      assertThat(cut.getCode()).isEqualTo(Wire.Error.Code.TIMEOUT);
      assertThat(cut.getMessage()).contains("three times the keep-alive");
      answer(tuples.write("late"));
      assertThat(answer(waiting)).isEqualTo(found("late"));
      assertThat(client.hasLostSessions()).isFalse();
    }
  }

  @Test
  void aNodeThatClosesAnswersWhatIsUnderWay() throws Exception {
    SlowEngine slow = new SlowEngine(engine);
    try (TestGateway gateway = TestGateway.start(slow, folder, s -> TestGateway.patient(4, 8));
        RawClient client = RawClient.welcomed(gateway)) {
      client.opens(1);
      assertThat(client.reads().hasSessionOpened()).isTrue();
      client.writes(1, 1, "x");
      await().until(() -> slow.underWay() == 1);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(gateway.server::close);
      assertThat(client.reads().hasGoAway()).isTrue();
      assertThat(closing).isNotDone();
      slow.goesOn();
      assertThat(client.reads().hasEvent()).isTrue();
      assertThat(client.reads().getExecuted().hasWritten()).isTrue();
      assertThat(client.reads().getError().getCode()).isEqualTo(Wire.Error.Code.CLOSING);
      assertThat(client.isClosedByGateway()).isTrue();
      closing.join();
    }
  }
}
