package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.PostgresServer;
import io.gleaner.storage.ServerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody waits without end for a storage that does not answer. */
@Timeout(180)
class StorageSilentTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final SpaceSettings SETTINGS =
      new SpaceSettings(MemberSettings.alone(), 31, 2, Limits.DEFAULT)
          .withStoragePatience(Duration.ofSeconds(4));

  @Test
  @Tag("F7")
  void whoAskedIsToldAndWhoAsksAgainUnderTheSameNumberHasItDoneOnce() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        HazelcastSpace space =
            HazelcastSpace.startDurable(
                SETTINGS, ServerSettings.of(server.url(), "gleaner", Optional.empty()))) {
      TupleSpace client = SpaceClient.open(space, "market", "test");
      client.write(new Note("kept", 1), null, Lease.FOREVER);
      Transaction transaction = client.begin(Duration.ofMinutes(5)).transaction;
      client.write(new Note("in a transaction", 1), transaction, Lease.FOREVER);
      long session = get(space.open("test", event -> {}));
      CompletableFuture<Reply> waiting = space.execute(session, 1, 1, take("later", 120_000));

      server.kill();
      Command write = new Command.Write("market", List.of(encoded("asked twice")), FOREVER, 0);
      CompletableFuture<Reply> asked = space.execute(session, 2, 1, write);
      assertThatThrownBy(() -> client.write(new Note("told", 1), null, Lease.FOREVER))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("the storage of the space does not answer");
      assertThat(((Reply.Refused) get(asked)).code()).isEqualTo(Reply.Refusal.STORAGE_SILENT);
      assertThat(waiting).as("what waits for an entry goes on waiting").isNotDone();

      server.startAgain();
      await()
          .atMost(PATIENCE)
          .until(() -> get(space.execute(session, 2, 1, write)) instanceof Reply.Written);
      assertThat(client.read(new Note("kept", null), null, JavaSpace.NO_WAIT)).isNotNull();
      transaction.commit();
      assertThat(client.take(new Note("in a transaction", null), null, JavaSpace.NO_WAIT))
          .as("what its session had goes on")
          .isNotNull();
      assertThat(client.take(new Note("asked twice", null), null, JavaSpace.NO_WAIT)).isNotNull();
      assertThat(client.take(new Note("asked twice", null), null, JavaSpace.NO_WAIT)).isNull();
      client.write(new Note("later", 1), null, Lease.FOREVER);
      assertThat(get(waiting)).isInstanceOf(Reply.Matched.class);
    }
  }

  private static final List<Long> FOREVER = List.of(Lease.FOREVER);

  private static EncodedEntry encoded(String text) {
    return EntryCodec.encode(new Note(text, null));
  }

  private static Command take(String text, long millis) {
    return new Command.Match("market", Command.Mode.TAKE, List.of(encoded(text)), 0, millis, 1);
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
