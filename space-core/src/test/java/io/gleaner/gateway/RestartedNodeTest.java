package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.Command;
import io.gleaner.space.HazelcastSpace;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a durable node go on when it is back. */
@Timeout(180)
class RestartedNodeTest {
  private static final long NAME = 4711;

  @TempDir Path folder;

  @Test
  void aTakeThatWaitsAndATransactionGoOnWhenTheNodeIsBack() throws Exception {
    HazelcastSpace space = space();
    TestGateway before = TestGateway.startToComeBack(space, folder.resolve("blobs"));
    GatewayAddress address = before.address();
    try (GatewayConnection client = before.patientClient()) {
      Tuples tuples = Tuples.in(client.engine());
      CompletableFuture<Reply> take = tuples.take("awaited", Long.MAX_VALUE);
      Reply.Began began = (Reply.Began) answer(tuples.execute(new Command.Begin(3_600_000)));
      before.close();
      space.close();

      try (HazelcastSpace back = space();
          TestGateway after =
              TestGateway.startAgain(back, folder.resolve("blobs"), address.port(), before.token)) {
        assertThat(after.address()).isEqualTo(address);
        answer(Tuples.in(back).write("awaited"));
        assertThat(answer(take)).isEqualTo(found("awaited"));
        assertThat(answer(tuples.execute(new Command.Commit(began.transaction()))))
            .isEqualTo(new Reply.Done());
        assertThat(client.hasLostSessions()).isFalse();
      }
    }
  }

  @Test
  void whatWasReservedIsItsClientsOrGoesBackWhenTheNodeIsBack() throws Exception {
    HazelcastSpace space = space();
    TestGateway before = TestGateway.startUsual(space, folder.resolve("blobs"));
    try (RawClient raw = RawClient.welcomed(before)) {
      raw.opensNamed(1, NAME, 1);
      raw.waitsFor(1, 1, "ada/s", "red");
      answer(Tuples.in(space).write("red"));
      assertThat(raw.reads().getExecuted().getMatched().getReserved()).isTrue();
    }
    before.close();
    space.close();

    try (HazelcastSpace back = space();
        TestGateway after = TestGateway.startUsual(back, folder.resolve("blobs"));
        RawClient raw = RawClient.welcomed(after)) {
      raw.opensNamed(1, NAME, 2);
      raw.accepts(1, 1, "ada/s", "red");
      Reply reply = ReplyFrames.read(List.of(raw.reads().getExecuted()));
      boolean accepted = reply instanceof Reply.Done;
      assertThat(answer(Tuples.in(back).take("red", 0)))
          .as("after %s", reply)
          .isEqualTo(accepted ? found() : found("red"));
    }
  }

  private HazelcastSpace space() {
    return HazelcastSpace.startDurable(
        new SpaceSettings(MemberSettings.alone(), 31, 2, Limits.DEFAULT),
        StorageSettings.in(folder.resolve("space")));
  }
}
