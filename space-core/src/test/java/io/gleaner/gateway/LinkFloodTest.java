package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.gleaner.authority.PoolRole;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.limits.Rates;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.signing.Digests;
import io.gleaner.space.Command;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hostile device that sends one kind of frame without end, while no time passes. */
@Timeout(60)
class LinkFloodTest {
  private static final JoinGrant DEVICE = new JoinGrant(PoolRole.DEVICE, "bob");

  private static final ByteString CHUNK = ByteString.copyFrom(new byte[Protocol.BLOB_CHUNK_BYTES]);
  private static final int PATIENCE_SWEEPS = 3;

  @TempDir Path folder;
  private final CountingEngine engine = new CountingEngine(new RememberingEngine());

  /** What the only thread for blobs has to do, when it comes to it. */
  private final Deque<Runnable> thread = new ArrayDeque<>();

  private final Turns turns = new Turns(thread::add, 1);
  private Links links;
  private Link link;

  @BeforeEach
  void aDeviceIsWelcomed() throws Exception {
    links = links(TestGateway.quick());
    link = admit(DEVICE);
    open();
  }

  private BlobDesk blobs() throws Exception {
    return new BlobDesk(new FileBlobStore(folder, 1 << 20), turns, turns, 1 << 20, PATIENCE_SWEEPS);
  }

  private void open() throws Exception {
    link.open(Wire.OpenSession.newBuilder().setSession(1).setTenure(1).build());
  }

  private static Wire.Execute question(int sequence) {
    return CommandFrames.write(1, sequence, sequence, new Command.TransactionState(4711));
  }

  private Link admit(JoinGrant grant) {
    return links.admit(grant, "laptop", Wire.Hello.getDefaultInstance()).link().orElseThrow();
  }

  private void threadWorks() {
    for (Runnable next = thread.poll(); next != null; next = thread.poll()) {
      next.run();
    }
  }

  @Test
  @Tag("S15")
  void whatIsSaidToBeAskedAgainIsCountedToo() throws Exception {
    int most = Rates.standard().device().atOnce();
    for (int sequence = 1; sequence <= 2 * most; sequence++) {
      link.execute(question(sequence).toBuilder().setAgain(true).build());
    }
    assertThat(engine.asked()).isEqualTo(most);
  }

  @Test
  @Tag("S15")
  void aProgramHasARateToo() throws Exception {
    Rates rates = TestGateway.quick().rates().withApplication(1_000);
    links = links(TestGateway.quick().with(rates));
    link = admit(new JoinGrant(PoolRole.APPLICATION, "bob"));
    open();
    // One is the session's.
    int most = rates.application().atOnce() - 1;
    for (int sequence = 1; sequence <= 2 * most; sequence++) {
      link.execute(question(sequence));
    }
    assertThat(engine.asked()).isEqualTo(most);
  }

  @Test
  @Tag("S15")
  void questionsAboutBlobsAreCounted() throws Exception {
    int most = TestGateway.quick().ofOwner().operations();
    for (int i = 1; i <= 2 * most; i++) {
      link.transfers.contains(
          Wire.BlobContains.newBuilder().setTransfer(i).setDigest("a".repeat(64)).build());
    }
    assertThat(link.use.operations()).isEqualTo(most);
    threadWorks();
    assertThat(link.use.operations()).isZero();
  }

  @Test
  @Tag("S15")
  void anotherOwnersBlobsWaitForOneTaskOnly() throws Exception {
    List<String> done = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      turns.take("evil", () -> done.add("evil"));
    }
    turns.take("bob", () -> done.add("bob"));
    threadWorks();
    assertThat(done).containsExactly("evil", "bob", "evil", "evil");
  }

  @Test
  @Tag("S15")
  void aDownloadAskedForAgainAndAgainIsCountedUntilItsTurn() throws Exception {
    String digest = new FileBlobStore(folder, 1 << 20).put(new byte[10]);
    int most = TestGateway.quick().ofOwner().operations();
    for (int i = 0; i < 2 * most; i++) {
      link.transfers.get(Wire.BlobGet.newBuilder().setTransfer(1).setDigest(digest).build());
    }
    assertThat(link.use.operations()).isEqualTo(most);
    threadWorks();
    assertThat(link.use.operations()).isZero();
  }

  @Test
  @Tag("S15")
  void uploadsThatStandStillOccupyNoThreadAndEnd() throws Exception {
    for (int transfer = 1; transfer <= 20; transfer++) {
      assertThat(puts(link, transfer, 0)).isTrue();
      threadWorks();
    }
    assertThat(link.use.intake.bytes()).isZero();
    String stored = Digests.sha256Hex(new byte[5]);
    Link other = admit(new JoinGrant(PoolRole.DEVICE, "carol"));
    assertThat(
            other.transfers.put(
                Wire.BlobPut.newBuilder()
                    .setTransfer(1)
                    .setChunk(ByteString.copyFrom(new byte[5]))
                    .setLast(true)
                    .build(),
                () -> {}))
        .isTrue();
    threadWorks();
    assertThat(new FileBlobStore(folder, 1 << 20).contains(stored)).isTrue();
    assertThat(link.use.operations()).isEqualTo(20);
    for (int i = 0; i <= PATIENCE_SWEEPS; i++) {
      link.transfers.sweep();
    }
    threadWorks();
    assertThat(link.use.operations()).isZero();
  }

  @Test
  @Tag("S15")
  void chunksThatWaitAreCountedAndTheirConnectionWaits() throws Exception {
    // A quarter of the 4 MiB of requests.
    int room = 1024 * 1024 / CHUNK.size();
    AtomicInteger woken = new AtomicInteger();
    for (int i = 0; i < room; i++) {
      assertThat(puts(link, i + 1, 0)).isTrue();
    }
    for (int i = 0; i < room; i++) {
      assertThat(
              link.transfers.put(
                  Wire.BlobPut.newBuilder().setTransfer(100 + i).setChunk(CHUNK).build(),
                  woken::incrementAndGet))
          .isFalse();
    }
    assertThat(puts(admit(new JoinGrant(PoolRole.DEVICE, "carol")), 1, 0)).isTrue();
    assertThat(link.use.intake.bytes()).isEqualTo((long) room * CHUNK.size());
    assertThat(woken.get()).isZero();
    threadWorks();
    assertThat(woken.get()).isEqualTo(room);
    link.transfers.close();
    threadWorks();
    assertThat(link.use.intake.bytes()).isZero();
    assertThat(link.use.operations()).isZero();
  }

  @Test
  void aShortChunkBeforeTheEndIsRefused() {
    assertThatThrownBy(
            () ->
                link.transfers.put(
                    Wire.BlobPut.newBuilder()
                        .setTransfer(1)
                        .setChunk(ByteString.copyFrom(new byte[1]))
                        .build(),
                    () -> {}))
        .isInstanceOf(MalformedFrame.class)
        .hasMessageContaining("a chunk of 1 bytes before the end, not 262144");
    assertThat(link.use.intake.bytes()).isZero();
  }

  private static boolean puts(Link link, long transfer, int chunk) throws MalformedFrame {
    return link.transfers.put(
        Wire.BlobPut.newBuilder()
            .setTransfer(transfer)
            .setOffset((long) chunk * CHUNK.size())
            .setChunk(CHUNK)
            .build(),
        () -> {});
  }

  private Links links(GatewaySettings settings) throws Exception {
    return new Links(
        engine, settings, () -> 0, blobs(), noMarket(), Holding.Total.ofHeap(settings));
  }

  private static MarketDesk noMarket() {
    return new MarketDesk() {
      @Override
      public CompletableFuture<List<EncodedEntry>> contractsOf(String device) {
        return CompletableFuture.completedFuture(List.of());
      }

      @Override
      public CompletableFuture<Integer> countOf(String kind, String device, int most) {
        return CompletableFuture.completedFuture(0);
      }

      @Override
      public CompletableFuture<List<EncodedEntry>> taken(long transaction, EncodedEntry template) {
        return CompletableFuture.completedFuture(List.of());
      }
    };
  }
}
