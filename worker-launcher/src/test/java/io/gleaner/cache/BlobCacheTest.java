package io.gleaner.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.blob.BlobStore;
import io.gleaner.signing.Digests;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class BlobCacheTest {
  @TempDir Path temp;
  private final Map<String, byte[]> stored = new HashMap<>();
  private int opened;
  private long seconds;

  /** A store in memory that counts how often it is asked. */
  private final BlobStore store =
      new BlobStore() {
        @Override
        public String put(InputStream content) throws IOException {
          byte[] bytes = content.readAllBytes();
          stored.put(Digests.sha256Hex(bytes), bytes);
          return Digests.sha256Hex(bytes);
        }

        @Override
        public boolean contains(String digest) {
          return stored.containsKey(digest);
        }

        @Override
        public InputStream open(String digest) throws IOException {
          opened++;
          if (!stored.containsKey(digest)) {
            throw new FileNotFoundException(digest);
          }
          return new ByteArrayInputStream(stored.get(digest));
        }
      };

  private BlobCache cache(long bytes) throws IOException {
    return new BlobCache(
        temp.resolve("cache"),
        bytes,
        store,
        () -> Instant.ofEpochSecond(1_700_000_000 + seconds++));
  }

  private String blob(String text) throws IOException {
    return store.put(text.getBytes(StandardCharsets.UTF_8));
  }

  private String copy(BlobCache cache, String digest) throws IOException {
    Path target = Files.createTempFile(temp, "copy", "");
    cache.copyTo(digest, target);
    return Files.readString(target);
  }

  @Test
  void aBlobIsFetchedOnceAndFoundAgainAfterARestart() throws IOException {
    String digest = blob("tile");
    assertThat(copy(cache(1000), digest)).isEqualTo("tile");
    assertThat(copy(cache(1000), digest)).isEqualTo("tile");
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void theOneUsedLongestAgoIsEvicted() throws IOException {
    BlobCache cache = cache(10);
    String one = blob("1111");
    String two = blob("2222");
    String three = blob("3333");
    copy(cache, one);
    copy(cache, two);
    copy(cache, one);
    copy(cache, three);
    assertThat(cache.sizeBytes()).isEqualTo(8);
    assertThat(temp.resolve("cache").resolve(two)).doesNotExist();
    assertThat(temp.resolve("cache").resolve(one)).exists();
    assertThat(copy(cache, two)).isEqualTo("2222");
  }

  @Test
  void aFileThatChangedOnDiskIsFetchedAgain() throws IOException {
    BlobCache cache = cache(1000);
    String digest = blob("truth");
    copy(cache, digest);
    Files.writeString(temp.resolve("cache").resolve(digest), "lies!");
    assertThat(copy(cache, digest)).isEqualTo("truth");
    assertThat(opened).isEqualTo(2);
  }

  @Test
  void aStoreThatSendsOtherBytesIsNotBelieved() throws IOException {
    String digest = blob("truth");
    stored.put(digest, "lies!".getBytes(StandardCharsets.UTF_8));
    BlobCache cache = cache(1000);
    assertThatThrownBy(() -> copy(cache, digest)).hasMessageContaining("asked for the blob");
    assertThat(temp.resolve("cache")).isEmptyDirectory();
  }

  @Test
  void aBlobLargerThanTheCachePassesThrough() throws IOException {
    BlobCache cache = cache(3);
    assertThat(copy(cache, blob("large"))).isEqualTo("large");
    assertThat(cache.sizeBytes()).isZero();
  }
}
