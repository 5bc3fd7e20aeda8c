package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.PoolRole;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hostile device that sends one kind of frame without end, while no time passes. */
@Timeout(60)
class LinkFloodTest {
  private static final JoinGrant DEVICE = new JoinGrant(PoolRole.DEVICE, "bob");

  @TempDir Path folder;
  private final CountingEngine engine = new CountingEngine(new RememberingEngine());
  private final Vertx vertx = Vertx.vertx();
  private Link link;

  @BeforeEach
  void aDeviceIsWelcomed() throws Exception {
    WorkerExecutor workers = vertx.createSharedWorkerExecutor("blobs", 1);
    Links links =
        new Links(
            engine,
            TestGateway.quick(),
            () -> 0,
            new BlobDesk(new FileBlobStore(folder, 1 << 20), workers, workers, 1 << 20, 60_000),
            noMarket());
    link = links.admit(DEVICE, "laptop", Wire.Hello.getDefaultInstance()).link().orElseThrow();
    link.open(Wire.OpenSession.newBuilder().setSession(1).setTenure(1).build());
  }

  @AfterEach
  void end() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  @Tag("S15")
  void whatIsSaidToBeAskedAgainIsCountedToo() throws Exception {
    for (int sequence = 1; sequence <= 2 * DeviceUse.MOST_OPERATIONS; sequence++) {
      link.execute(
          CommandFrames.write(1, sequence, sequence, new Command.TransactionState(4711)).toBuilder()
              .setAgain(true)
              .build());
    }
    assertThat(engine.asked()).isEqualTo(DeviceUse.MOST_OPERATIONS);
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
