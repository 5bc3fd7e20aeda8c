package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that begin frames and never end them, and that ask for blobs and do not read. */
@Timeout(120)
class HeldBytesTest {
  private static final int FRAME_BYTES = 900_000;
  private static final int SENT_BYTES = 800_000;
  private static final long MOST_BYTES = TestGateway.quick().ofOwner().heldBytes();

  @TempDir Path folder;
  private final RememberingEngine engine = new RememberingEngine();
  private TestGateway gateway;

  @BeforeEach
  void aGateway() throws Exception {
    gateway = TestGateway.start(engine, folder, TestGateway::unhurried);
  }

  @AfterEach
  void closes() throws Exception {
    gateway.close();
  }

  @Test
  @Tag("S15")
  void whoBeginsManyFramesAndEndsNoneIsCutOff() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      clients.add(begins());
    }
    await().until(() -> gateway.server.heldBytes() >= 2L * SENT_BYTES);
    clients.add(begins());
    await().until(() -> cutOff(clients).isPresent());
    RawClient gone = cutOff(clients).orElseThrow();
    assertThat(gone.reads().getError().getMessage())
        .contains("the connections of ada have the node hold")
        .contains("at most " + MOST_BYTES + " of an owner")
        .contains("send frames whole, read answers, or use fewer connections");
    assertThat(gone.isClosedByGateway()).isTrue();
    // The others go on with their frames.
    clients.remove(gone);
    for (RawClient client : clients) {
      client.sendsBytes(new byte[FRAME_BYTES - SENT_BYTES]);
      assertThat(client.reads().getError().getCode()).isEqualTo(Wire.Error.Code.MALFORMED);
      client.close();
    }
    await().until(() -> gateway.server.heldBytes() == 0);
  }

  @Test
  @Tag("S15")
  void whenAllHoldTooMuchWhoHoldsMostIsCutOffAndNotWhoComesLast() throws Exception {
    long mostBytes = 3L * FRAME_BYTES + 64 * 1024;
    Holding.Total most = new Holding.Total(mostBytes, mostBytes);
    try (TestGateway node = TestGateway.startHolding(engine, folder.resolve("all"), most)) {
      List<RawClient> ofAda = List.of(begins(node, node.token), begins(node, node.token));
      RawClient carol = begins(node, node.tokenOf("carol"));
      await().until(() -> node.server.heldBytes() > 2L * SENT_BYTES);
      RawClient bob = begins(node, node.tokenOf("bob"));
      await().until(() -> cutOff(ofAda).isPresent());
      RawClient gone = cutOff(ofAda).orElseThrow();
      assertThat(gone.reads().getError().getMessage())
          .contains("the connections of ada have the node hold")
          .contains("and " + mostBytes + " of all are allowed");
      for (RawClient client : List.of(bob, carol)) {
        client.sendsBytes(new byte[FRAME_BYTES - SENT_BYTES]);
        assertThat(client.reads().getError().getCode()).isEqualTo(Wire.Error.Code.MALFORMED);
        client.close();
      }
    }
  }

  private RawClient begins() throws IOException {
    return begins(gateway, gateway.token);
  }

  private static RawClient begins(TestGateway gateway, Secret token) throws IOException {
    RawClient client = RawClient.welcomed(gateway.address(), token);
    client.sendsBytes(
        ByteBuffer.allocate(Protocol.LENGTH_BYTES + SENT_BYTES).putInt(FRAME_BYTES).array());
    return client;
  }

  private static Optional<RawClient> cutOff(List<RawClient> clients) throws IOException {
    for (RawClient client : clients) {
      if (client.hasAnswer()) {
        return Optional.of(client);
      }
    }
    return Optional.empty();
  }

  @Test
  @Tag("S15")
  void downloadsThatNobodyReadsWait() throws Exception {
    byte[] content = new byte[4 * 1024 * 1024];
    String digest = gateway.blobs.all().put(content);
    try (RawClient client = RawClient.welcomed(gateway)) {
      int downloads = 20;
      for (int i = 1; i <= downloads; i++) {
        client.sends(
            Frames.client()
                .setBlobGet(Wire.BlobGet.newBuilder().setTransfer(i).setDigest(digest))
                .build());
      }
      await().until(() -> gateway.server.heldBytes() > 0);
      long[] received = new long[downloads + 1];
      long most = 0;
      for (int all = 0; all < downloads; ) {
        most = Math.max(most, gateway.server.heldBytes());
        Wire.BlobChunk chunk = client.reads().getBlobChunk();
        int transfer = (int) chunk.getTransfer();
        received[transfer] += chunk.getChunk().size();
        all += chunk.getLast() ? 1 : 0;
        client.sends(
            Frames.client()
                .setBlobCredit(Wire.BlobCredit.newBuilder().setTransfer(transfer).setChunks(1))
                .build());
      }
      assertThat(most).isLessThan(4L * Protocol.BLOB_CHUNK_BYTES);
      for (int i = 1; i <= downloads; i++) {
        assertThat(received[i]).isEqualTo(content.length);
      }
    }
  }
}
