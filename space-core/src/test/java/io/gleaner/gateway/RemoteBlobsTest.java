package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.blob.BlobTooLarge;
import io.gleaner.signing.Digests;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(90)
class RemoteBlobsTest {
  @TempDir Path folder;
  private TestGateway gateway;
  private CuttingProxy wire;
  private GatewayConnection client;

  @BeforeEach
  void aClientBehindAWireThatCanBeCut() throws Exception {
    gateway = TestGateway.start(new RememberingEngine(), folder, TestGateway::unhurried);
    wire = CuttingProxy.to(gateway.server.port());
    client = gateway.patientClient(wire.address());
  }

  @AfterEach
  void closes() throws Exception {
    client.close();
    wire.close();
    gateway.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 262_143, 262_144, 262_145, 2_097_152, 9_000_001})
  void contentOfAnySizeGoesThereAndBack(int size) throws IOException {
    byte[] content = bytes(size);
    String digest = client.blobs().put(content);

    assertThat(digest).isEqualTo(Digests.sha256Hex(content));
    assertThat(gateway.blobs.all().read(digest)).isEqualTo(content);
    assertThat(client.blobs().contains(digest)).isTrue();
    assertThat(client.blobs().read(digest)).isEqualTo(content);
  }

  @Test
  void manyAtATime() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(12);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        byte[] content = bytes(700_000 + i);
        all.add(
            threads.submit(
                () ->
                    java.util.Arrays.equals(
                        content, client.blobs().read(client.blobs().put(content)))));
      }
      for (Future<Boolean> one : all) {
        assertThat(one.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatIsMissingOrTooLargeIsSaid() {
    String missing = Digests.sha256Hex("missing");
    assertThatThrownBy(() -> client.blobs().open(missing))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(missing);
    assertThatThrownBy(() -> client.blobs().open("../secret"))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> client.blobs().put(bytes(17 * 1024 * 1024)))
        .isInstanceOf(BlobTooLarge.class)
        .hasMessageContaining("16777216");
  }

  @Test
  void anUploadForWhichTheNodeIsTooBusyIsTriedAgain() throws Exception {
    // Longer than what comes before it is read, so that these downloads stay.
    String large = client.blobs().put(bytes(9 * Protocol.BLOB_CHUNK_BYTES));
    List<InputStream> downloads = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      downloads.add(client.blobs().open(large));
    }
    byte[] content = bytes(3 * Protocol.BLOB_CHUNK_BYTES);
    CountDownLatch firstIsSent = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    InputStream source =
        new FilterInputStream(new ByteArrayInputStream(content)) {
          private int left = Protocol.BLOB_CHUNK_BYTES;

          @Override
          public int read(byte[] to, int from, int length) throws IOException {
            if (left == 0 && length > 0) {
              firstIsSent.countDown();
              try {
                refused.await();
              } catch (InterruptedException e) {
                throw new InterruptedIOException();
              }
              return super.read(to, from, length);
            }
            int count = super.read(to, from, Math.min(length, left));
            left -= count;
            return count;
          }
        };
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<String> stored = thread.submit(() -> client.blobs().put(source));
      firstIsSent.await();
      // Answered behind the upload's first chunk.
      assertThat(client.blobs().contains(Digests.sha256Hex("missing"))).isFalse();
      for (InputStream download : downloads) {
        download.close();
      }
      refused.countDown();
      assertThat(stored.get()).isEqualTo(Digests.sha256Hex(content));
      assertThat(gateway.blobs.all().read(stored.get())).isEqualTo(content);
    } finally {
      refused.countDown();
      thread.shutdownNow();
    }
  }

  @Test
  void aDamagedFileOnTheNodeIsNoticed() throws IOException {
    String digest = client.blobs().put(bytes(1_000_000));
    Path file;
    try (Stream<Path> all = Files.walk(folder)) {
      file = all.filter(f -> f.getFileName().toString().equals(digest)).findFirst().orElseThrow();
    }
    byte[] damaged = Files.readAllBytes(file);
    damaged[500_000] ^= 1;
    Files.write(file, damaged);

    assertThatThrownBy(() -> client.blobs().read(digest)).hasMessageContaining("damaged");
  }

  @Test
  void anUploadGoesOnAfterABrokenConnection() throws IOException {
    byte[] content = bytes(6_000_000);
    String digest = client.blobs().put(cutting(new ByteArrayInputStream(content), 3_000_000));
    assertThat(gateway.blobs.all().read(digest)).isEqualTo(content);
    assertThat(wire.connections()).isEqualTo(2);
  }

  @Test
  void aDownloadGoesOnAfterABrokenConnection() throws IOException {
    byte[] content = bytes(9_000_000);
    String digest = client.blobs().put(content);
    try (InputStream in = cutting(client.blobs().open(digest), 2_000_000)) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
    assertThat(wire.connections()).isEqualTo(2);
  }

  @Test
  void aStreamThatIsNotReadToItsEndHoldsNobodyUp() throws IOException {
    String digest = client.blobs().put(bytes(8_000_000));
    for (int i = 0; i < 40; i++) {
      try (InputStream in = client.blobs().open(digest)) {
        assertThat(in.readNBytes(10)).hasSize(10);
      }
    }
    assertThat(client.blobs().contains(digest)).isTrue();
  }

  /** A stream while whose reading the wire is cut, once. */
  private InputStream cutting(InputStream in, int after) {
    return new FilterInputStream(in) {
      private int read;
      private boolean cut;

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, Math.min(length, 100_000));
        read += Math.max(count, 0);
        if (!cut && read > after) {
          cut = true;
          wire.cut();
        }
        return count;
      }
    };
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
