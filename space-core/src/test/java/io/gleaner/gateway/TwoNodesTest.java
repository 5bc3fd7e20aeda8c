package io.gleaner.gateway;

import static io.gleaner.gateway.Tuples.answer;
import static io.gleaner.gateway.Tuples.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.blob.BlobStore;
import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import io.gleaner.space.ClusterLoad;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a node that ends go on at another one, in the same sessions. */
@Timeout(300)
class TwoNodesTest {
  private static final int WAITING = 8;
  private static final int OPERATIONS = 500;
  private static final long NAME = 4711;
  private static final int BLOB_BYTES = 16 << 20;
  private static final ConnectSettings PATIENT =
      new ConnectSettings(Duration.ofSeconds(60), Duration.ofSeconds(120));

  @TempDir Path folder;
  private final Secret secret = Secret.random();
  private final Secret token = Secret.random();
  private NodeProcess first;
  private NodeProcess second;
  private GatewayConnection client;
  private GatewayConnection other;

  @BeforeEach
  void twoNodes() throws Exception {
    first = NodeProcess.start(secret, token, folder, List.of());
    second = NodeProcess.start(secret, token, folder, List.of(first));
    client =
        GatewayConnection.connect(
            List.of(first.gateway(), second.gateway()), token, "mobile", PATIENT);
    other = GatewayConnection.connect(List.of(second.gateway()), token, "other", PATIENT);
  }

  @AfterEach
  void end() {
    client.close();
    other.close();
    first.close();
    second.close();
  }

  @Test
  @Tag("F2")
  @Tag("F7")
  void clientsOfANodeThatIsKilledGoOnAtTheOther() throws Exception {
    List<CompletableFuture<Reply>> waiting = new ArrayList<>();
    Tuples tuples = Tuples.in(client.engine());
    for (int i = 0; i < WAITING; i++) {
      waiting.add(tuples.take("awaited" + i, Long.MAX_VALUE));
    }
    AtomicInteger events = new AtomicInteger();
    long session =
        client.engine().open("events", event -> events.incrementAndGet()).get(60, TimeUnit.SECONDS);
    Reply.Began began =
        (Reply.Began) answer(client.engine().execute(session, 1, 1, new Command.Begin(3_600_000)));
    Command.Write write =
        new Command.Write(
            "ada/s",
            List.of(Tuples.tuple("in a transaction")),
            List.of(Long.MAX_VALUE),
            began.transaction());
    answer(client.engine().execute(session, 2, 2, write));
    answer(client.engine().execute(session, 3, 3, register()));
    try (ClusterLoad load = new ClusterLoad()) {
      load.runsOn(client.engine());
      load.pipelinesOn(client.engine());
      load.goesOnFor(OPERATIONS);

      first.kill();

      load.goesOnFor(OPERATIONS);
      load.endsWithEveryEntryTakenOnce();
    }
    Tuples others = Tuples.in(other.engine());
    for (int i = 0; i < WAITING; i++) {
      answer(others.write("awaited" + i));
      assertThat(answer(waiting.get(i))).isEqualTo(found("awaited" + i));
    }
    assertThat(answer(others.take("in a transaction", 0))).isEqualTo(found());
    assertThat(
            answer(client.engine().execute(session, 4, 4, new Command.Commit(began.transaction()))))
        .isEqualTo(new Reply.Done());
    assertThat(answer(others.take("in a transaction", 0))).isEqualTo(found("in a transaction"));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              answer(others.write("seen"));
              return events.get() > 0;
            });
    assertThat(client.hasLostSessions()).as("sessions were lost").isFalse();
  }

  @Test
  @Tag("F11")
  void aTakeThatWaitsGoesOnWhenItsNodeEndsInOrder() throws Exception {
    CompletableFuture<Reply> take = Tuples.in(client.engine()).take("awaited", Long.MAX_VALUE);

    first.endsInOrder();

    answer(Tuples.in(other.engine()).write("awaited"));
    assertThat(answer(take)).isEqualTo(found("awaited"));
    assertThat(client.hasLostSessions()).isFalse();
  }

  /** Some of it lies on the node that is killed, some on the other. */
  @Test
  @Tag("F2")
  void whatIsReservedWhenANodeIsKilledIsItsClientsOrGoesBack() throws Exception {
    Tuples others = Tuples.in(other.engine());
    List<Integer> sequences = IntStream.rangeClosed(1, WAITING).boxed().toList();
    try (RawClient before = RawClient.welcomed(first.gateway(), token)) {
      before.opensNamed(1, NAME, 1);
      for (int sequence : sequences) {
        before.waitsFor(1, sequence, "ada/space" + sequence, "red");
        answer(others.execute(write("ada/space" + sequence)));
        assertThat(before.reads().getExecuted().getMatched().getReserved()).isTrue();
      }
    }

    first.kill();

    try (RawClient after = RawClient.welcomed(second.gateway(), token)) {
      after.opensNamed(1, NAME, 2);
      for (int sequence : sequences) {
        after.accepts(1, sequence, "ada/space" + sequence, "red");
        Reply reply = ReplyFrames.read(List.of(after.reads().getExecuted()));
        boolean accepted = reply instanceof Reply.Done;
        assertThat(answer(others.execute(take("ada/space" + sequence))))
            .as("after %s", reply)
            .isEqualTo(accepted ? found() : found("red"));
      }
    }
  }

  @Test
  @Tag("F7")
  void blobsThatAreOnTheirWayWhenTheirNodeIsKilledArriveByTheOther() throws Exception {
    byte[] down = bytes(1);
    byte[] up = bytes(2);
    String digest = client.blobs().put(down);
    List<InputStream> openings = new ArrayList<>();
    BlobStore.Source content =
        () -> {
          openings.add(new ByteArrayInputStream(up));
          return openings.size() > 1 ? openings.get(1) : killing(openings.get(0));
        };
    try (InputStream in = client.blobs().open(digest)) {
      int begun = BLOB_BYTES / 4;
      assertThat(in.readNBytes(begun)).isEqualTo(Arrays.copyOf(down, begun));
      assertThat(client.blobs().put(content)).isEqualTo(Digests.sha256Hex(up));
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(down, begun, BLOB_BYTES));
    }
    assertThat(openings).hasSize(2);
    assertThat(other.blobs().read(Digests.sha256Hex(up))).isEqualTo(up);
  }

  /** A stream in the middle of which the first node is killed. */
  private InputStream killing(InputStream in) {
    return new FilterInputStream(in) {
      private int left = BLOB_BYTES / 2;

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        boolean before = left > 0;
        left -= count;
        if (before && left <= 0) {
          first.close();
        }
        return count;
      }
    };
  }

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[BLOB_BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static Command write(String space) {
    return new Command.Write(space, List.of(Tuples.tuple("red")), List.of(Long.MAX_VALUE), 0);
  }

  private static Command take(String space) {
    return new Command.Match(space, Command.Mode.TAKE, List.of(Tuples.tuple("red")), 0, 0, 1);
  }

  private static Command register() {
    return new Command.Register(
        "ada/s", List.of(Tuples.tuple("seen")), 0, false, false, Long.MAX_VALUE);
  }
}
