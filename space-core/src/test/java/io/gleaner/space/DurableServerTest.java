package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.storage.PostgresServer;
import io.gleaner.storage.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A durable space in a database of PostgreSQL. */
@Timeout(180)
class DurableServerTest {
  private static final int NOTES = 40;

  @Test
  void aSpaceThatIsStartedTwiceGoesOnAtTheSecondPlace() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        HazelcastSpace first = start(server)) {
      long session = first.open("first", event -> {}).join();
      for (int i = 1; i <= NOTES; i++) {
        assertThat(write(first, session, i).join()).isInstanceOf(Reply.Written.class);
      }
      assertThat(take(first, session, NOTES + 1)).isEqualTo(of(1));
      try (HazelcastSpace second = start(server)) {
        List<CompletableFuture<Reply>> late = new ArrayList<>();
        for (int i = 2; i <= NOTES; i++) {
          late.add(write(first, session, NOTES + i));
        }
        await("the first one closes")
            .atMost(Duration.ofSeconds(60))
            .until(() -> late.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertThatThrownBy(() -> take(first, session, 3 * NOTES))
            .hasMessageContaining("the space is closed");
        // The session goes on where the space does.
        assertThat(take(second, session, NOTES + 1)).isEqualTo(of(1));
        for (int i = 2; i <= NOTES; i++) {
          assertThat(take(second, session, NOTES + i)).isEqualTo(of(i));
        }
      }
      try (HazelcastSpace third = start(server)) {
        assertThat(take(third, third.open("third", event -> {}).join(), 1))
            .isEqualTo(new Reply.Matched(List.of()));
      }
    }
  }

  private static HazelcastSpace start(PostgresServer server) {
    return HazelcastSpace.startDurable(
        KilledProgram.SETTINGS, ServerSettings.of(server.url(), "gleaner", Optional.empty()));
  }

  private static CompletableFuture<Reply> write(SpaceEngine engine, long session, int number) {
    return engine.execute(
        session,
        number,
        Math.max(1, number - NOTES),
        new Command.Write("test", List.of(note(number)), List.of(Long.MAX_VALUE), 0));
  }

  private static Reply take(SpaceEngine engine, long session, int sequence) {
    EncodedEntry any = EntryCodec.encode(new Note("n", null));
    return engine
        .execute(
            session,
            sequence,
            Math.max(1, sequence - NOTES),
            new Command.Match("test", Command.Mode.TAKE, List.of(any), 0, 0, 1))
        .join();
  }

  private static Reply of(int number) {
    return new Reply.Matched(List.of(note(number)));
  }

  private static EncodedEntry note(int number) {
    return EntryCodec.encode(new Note("n", number));
  }
}
