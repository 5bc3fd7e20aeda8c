package io.gleaner.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.signing.Digests;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileBlobStoreTest {
  private static final int LIMIT = 1024 * 1024;
  private static final byte[] CONTENT = "some bytes".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;
  private FileBlobStore store;

  @BeforeEach
  void anEmptyStore() throws IOException {
    store = new FileBlobStore(folder, LIMIT);
  }

  @Test
  void contentIsFoundUnderItsDigest() throws IOException {
    String digest = store.put(CONTENT);

    assertThat(digest).isEqualTo(Digests.sha256Hex(CONTENT));
    assertThat(store.contains(digest)).isTrue();
    assertThat(store.read(digest)).isEqualTo(CONTENT);
    assertThat(new FileBlobStore(folder, LIMIT).read(digest)).isEqualTo(CONTENT);
    assertThat(store.read(store.put(new byte[0]))).isEmpty();
  }

  @Test
  void theSameContentIsStoredOnceHoweverManyPutItAtATime() throws Exception {
    byte[] content = new byte[300_000];
    new Random(1).nextBytes(content);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<String>> puts = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        puts.add(threads.submit(() -> store.put(content)));
      }
      for (Future<String> put : puts) {
        assertThat(store.read(put.get())).isEqualTo(content);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(files()).hasSize(1);
  }

  @Test
  void contentBeyondTheLimitLeavesNothingBehind() {
    assertThatThrownBy(() -> store.put(new byte[LIMIT + 1]))
        .isInstanceOf(BlobTooLarge.class)
        .hasMessageContaining("1048576");
    assertThat(files()).isEmpty();
  }

  @Test
  void aStreamThatBreaksLeavesNothingBehind() {
    InputStream breaking =
        new SequenceInputStream(
            new ByteArrayInputStream(CONTENT),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the disk was pulled out");
              }

              @Override
              public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
              }
            });
    assertThatThrownBy(() -> store.put(breaking)).hasMessageContaining("pulled out");
    assertThat(files()).isEmpty();
  }

  @Test
  void aDamagedFileIsNoticedAndHealedByPuttingItAgain() throws IOException {
    String digest = store.put(CONTENT);
    Files.writeString(files().get(0), "other bytes");

    assertThatThrownBy(() -> store.read(digest))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
    store.put(CONTENT);
    assertThat(store.read(digest)).isEqualTo(CONTENT);
  }

  @Test
  void whatIsNotThereIsNotFound() {
    for (String digest : List.of(Digests.sha256Hex("x"), "", "../../etc/passwd", "AB")) {
      assertThat(store.contains(digest)).isFalse();
      assertThatThrownBy(() -> store.open(digest)).isInstanceOf(FileNotFoundException.class);
    }
  }

  @Test
  void whatACrashLeftHalfWrittenGoesAtTheNextStart() throws IOException {
    String digest = store.put(new ByteArrayInputStream(CONTENT));
    Files.writeString(folder.resolve("incoming/blob123.part"), "half");

    assertThat(new FileBlobStore(folder, LIMIT).read(digest)).isEqualTo(CONTENT);
    assertThat(files()).hasSize(1);
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
