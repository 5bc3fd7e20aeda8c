package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the connections of one owner may use together, and how all of them end. */
@Timeout(150)
class OwnerLimitsTest {
  private static final int LINKS = 300;
  @TempDir Path folder;
  private final RememberingEngine engine = new RememberingEngine();

  @Test
  void operationsAreCountedOverAllConnectionsOfAnOwner() throws Exception {
    try (TestGateway gateway = TestGateway.start(engine, folder, TestGateway::unhurried);
        GatewayConnection first = gateway.patientClient();
        GatewayConnection second = gateway.patientClient();
        GatewayConnection third = gateway.patientClient();
        GatewayConnection others = gateway.patientClientOf("bob")) {
      List<CompletableFuture<Reply>> waiting = new ArrayList<>();
      for (GatewayConnection each : List.of(first, second)) {
        Tuples tuples = Tuples.in(each.engine());
        for (int i = 0; i < SpaceEngine.WINDOW; i++) {
          waiting.add(tuples.take("w" + waiting.size(), 600_000));
        }
      }
      await().until(() -> gateway.server.waitingOperations() == 2 * SpaceEngine.WINDOW);
      Tuples more = Tuples.in(third.engine());
      assertThat(answer(more.take("x", 600_000)))
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              refused -> {
                assertThat(refused.code()).isEqualTo(Refusal.OVERLOADED);
                assertThat(refused.message())
                    .contains("the connections of ada have together 512 unanswered operations")
                    .contains("wait for answers");
              });
      assertThat(answer(Tuples.in(others.engine(), "bob/s").write("w7")))
          .as("of another owner")
          .isInstanceOf(Reply.Written.class);
      assertThat(answer(Tuples.in(engine).write("w7"))).isInstanceOf(Reply.Written.class);
      assertThat(answer(waiting.get(7))).isInstanceOf(Reply.Matched.class);
      assertThat(answer(more.write("x"))).isInstanceOf(Reply.Written.class);
    }
  }

  @Test
  @Tag("F9")
  void whoAsksFasterThanIsServedHoldsNoMoreThanTheLimitInMemory() throws Exception {
    SlowEngine slow = new SlowEngine(engine);
    try (TestGateway gateway = TestGateway.start(slow, folder, TestGateway::unhurried);
        GatewayConnection first = gateway.patientClient();
        GatewayConnection second = gateway.patientClient()) {
      String[] large = Collections.nCopies(15, "y".repeat(60_000)).toArray(String[]::new);
      List<CompletableFuture<Reply>> all = new ArrayList<>();
      List<Tuples> sessions = List.of(Tuples.in(first.engine()), Tuples.in(second.engine()));
      for (int i = 0; i < 20; i++) {
        all.add(sessions.get(i % 2).write(large));
      }
      await().until(() -> all.stream().filter(CompletableFuture::isDone).count() == 16);
      assertThat(slow.underWay()).as("of 900 KB each within 4 MiB").isEqualTo(4);
      slow.goesOn();
      int written = 0;
      for (CompletableFuture<Reply> each : all) {
        Reply reply = answer(each);
        if (reply instanceof Reply.Refused refused) {
          assertThat(refused.message()).contains("at most 512 with 4194304 are allowed");
        } else {
          written++;
        }
      }
      assertThat(written).isEqualTo(4);
      for (int i = 0; i < 10; i++) {
        assertThat(answer(sessions.get(0).write(large))).isInstanceOf(Reply.Written.class);
      }
    }
  }

  /** A space that opens and closes no session until it is told to. */
  private static final class Silent extends PassingEngine {
    private final CompletableFuture<Void> back = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();

    Silent(NodeEngine engine) {
      super(engine);
    }

    @Override
    public CompletableFuture<Long> open(
        SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events) {
      asked.incrementAndGet();
      return back.thenCompose(now -> super.open(name, tenure, begins, events));
    }
  }

  @Test
  @Tag("F9")
  void sessionsThatASilentSpaceHasToOpenAndCloseAreCounted() throws Exception {
    Silent silent = new Silent(engine);
    int most = TestGateway.quick().ofOwner().operations(); // of both, twice as many
    try (TestGateway gateway = TestGateway.start(silent, folder, TestGateway::unhurried);
        RawClient client = RawClient.welcomed(gateway)) {
      for (int i = 1; i <= most; i++) {
        client.opens(i);
        client.closes(i);
      }
      client.opens(most + 1);
      Wire.ServerFrame answer = client.reads();
      assertThat(answer.getError().getCode()).isEqualTo(Wire.Error.Code.LIMIT);
      assertThat(answer.getError().getMessage()).contains("unanswered operations");
      assertThat(silent.asked.get()).isEqualTo(most);
      silent.back.complete(null);
      try (GatewayConnection later = gateway.patientClient()) {
        await()
            .untilAsserted(
                () ->
                    assertThat(answer(Tuples.in(later.engine()).write("x")))
                        .isInstanceOf(Reply.Written.class));
      }
    }
  }

  @Test
  void aNodeThatClosesTellsAllItsClients() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestGateway gateway =
        TestGateway.start(engine, folder, s -> TestGateway.patient(LINKS, LINKS))) {
      for (int i = 0; i < LINKS; i++) {
        RawClient client = RawClient.welcomed(gateway);
        clients.add(client);
        client.opens(1);
        assertThat(client.reads().hasSessionOpened()).isTrue();
      }
      assertThat(gateway.server.clients()).isEqualTo(LINKS);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(gateway.server::close);
      for (RawClient client : clients) {
        assertThat(client.reads().hasGoAway()).isTrue();
        assertThat(client.reads().getError().getCode()).isEqualTo(Wire.Error.Code.CLOSING);
        assertThat(client.isClosedByGateway()).isTrue();
      }
      closing.join();
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }
}
