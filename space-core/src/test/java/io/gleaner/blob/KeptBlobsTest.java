package io.gleaner.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.signing.Digests;
import io.gleaner.storage.Database;
import io.gleaner.storage.Schema;
import io.gleaner.storage.TestStore;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blobs with users, pins and collection: files beside H2, and chunk rows in PostgreSQL. */
@Timeout(120)
class KeptBlobsTest {
  private static final int LIMIT = 2 * 1024 * 1024;
  private static final int QUOTA = 3 * 1024 * 1024;
  private static final Duration PIN = Duration.ofHours(1);
  private static final byte[] CONTENT = "some bytes".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<AutoCloseable> open = new ArrayList<>();
  private Database database;
  private String place;
  private KeptBlobs blobs;
  private BlobStore ada;
  private BlobStore bob;

  private void start(TestStore kind) throws IOException, SQLException {
    place = kind.in(folder.resolve("database"));
    startAgain();
  }

  private void startAgain() throws IOException {
    close();
    database = TestStore.open(place, Schema.NODE);
    open.add(database);
    blobs =
        KeptBlobs.open(
            database, folder.resolve("files"), new BlobSettings(LIMIT, QUOTA, PIN), now::get);
    open.add(0, blobs);
    ada = blobs.of("ada");
    bob = blobs.of("bob");
  }

  @AfterEach
  void close() {
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    open.clear();
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void contentIsFoundUnderItsDigestAlsoAfterARestart(TestStore kind) throws Exception {
    start(kind);
    List<String> digests = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    for (int size : List.of(0, 10, 262_143, 262_144, 262_145, 1_000_000)) {
      contents.add(bytes(size));
      digests.add(ada.put(bytes(size)));
    }
    startAgain();
    for (int i = 0; i < digests.size(); i++) {
      assertThat(digests.get(i)).isEqualTo(Digests.sha256Hex(contents.get(i)));
      assertThat(ada.contains(digests.get(i))).isTrue();
      assertThat(ada.read(digests.get(i))).isEqualTo(contents.get(i));
      assertThat(blobs.all().read(digests.get(i))).isEqualTo(contents.get(i));
    }
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void theSameContentIsStoredOnceHoweverManyPutItAtATime(TestStore kind) throws Exception {
    start(kind);
    byte[] content = bytes(300_000);
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<String>> puts = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        BlobStore of = blobs.of("user-" + i % 4);
        puts.add(threads.submit(() -> of.put(content)));
      }
      for (Future<String> put : puts) {
        assertThat(blobs.all().read(put.get())).isEqualTo(content);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(contentsOnDisk()).isEqualTo(1);
    assertThat(blobs.usedBytes("user-3")).isEqualTo(300_000);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void aClockThatWasYearsAheadPinsNothingForYears(TestStore kind) throws Exception {
    start(kind);
    Instant right = now.get();
    now.set(right.plus(Duration.ofDays(3_000)));
    String digest = ada.put(CONTENT);
    now.set(right);
    blobs.collect(List.of());
    assertThat(ada.contains(digest)).isTrue();
    now.set(right.plus(PIN).plusMillis(1));
    blobs.collect(List.of());
    now.set(right.plus(PIN.multipliedBy(2)).plusMillis(2));
    assertThat(blobs.collect(List.of())).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whatBreaksOrIsTooLongLeavesNothingBehind(TestStore kind) throws Exception {
    start(kind);
    assertThatThrownBy(() -> ada.put(bytes(LIMIT + 1)))
        .isInstanceOf(BlobTooLarge.class)
        .hasMessageContaining("2097152");
    assertThatThrownBy(() -> ada.put(breaking(600_000))).hasMessageContaining("pulled out");

    assertThat(contentsOnDisk()).isZero();
    assertThat(blobs.usedBytes("ada")).isZero();
    assertThat(ada.read(ada.put(bytes(LIMIT)))).isEqualTo(bytes(LIMIT));
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whatIsDamagedIsNoticedAndHealedByPuttingItAgain(TestStore kind) throws Exception {
    start(kind);
    String digest = ada.put(bytes(400_000));
    damage(kind, digest);

    assertThatThrownBy(() -> ada.read(digest)).hasMessageContaining("damaged");
    ada.put(bytes(400_000));
    assertThat(ada.read(digest)).isEqualTo(bytes(400_000));
    assertThat(contentsOnDisk()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void strangersAreToldNothingOfABlobUntilTheyAreHandedAnEntryThatNamesIt(TestStore kind)
      throws Exception {
    start(kind);
    String digest = ada.put(CONTENT);
    String missing = Digests.sha256Hex("missing");

    assertThat(bob.contains(digest)).isFalse();
    assertThatThrownBy(() -> bob.open(digest))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("there is no blob " + digest + " in this store");
    assertThatThrownBy(() -> ada.open(missing))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("there is no blob " + missing + " in this store");
    assertThatThrownBy(() -> ada.open("../../etc/passwd"))
        .isInstanceOf(FileNotFoundException.class);

    CompletableFuture<Void> written = blobs.handed("bob", List.of(digest, missing));
    assertThat(bob.contains(digest)).isTrue();
    assertThat(bob.contains(missing)).isFalse();
    assertThat(bob.read(digest)).isEqualTo(CONTENT);
    written.get(60, TimeUnit.SECONDS);
    startAgain();
    assertThat(bob.read(digest)).isEqualTo(CONTENT);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whoUploadsWhatOthersHaveSeesItToo(TestStore kind) throws Exception {
    start(kind);
    String digest = ada.put(CONTENT);
    assertThat(bob.put(CONTENT)).isEqualTo(digest);
    assertThat(bob.read(digest)).isEqualTo(CONTENT);
    assertThat(blobs.usedBytes("bob")).isEqualTo(CONTENT.length);
    assertThat(contentsOnDisk()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void aUserHasAQuotaAndOthersHaveTheirOwn(TestStore kind) throws Exception {
    start(kind);
    String first = ada.put(bytes(2_000_000));
    assertThatThrownBy(() -> ada.put(bytes(1_500_000)))
        .isInstanceOf(BlobQuotaExceeded.class)
        .hasMessageContaining("the blobs of ada have 2000000 bytes")
        .hasMessageContaining("quota of 3145728 bytes");
    bob.put(bytes(1_500_000));
    ada.put(bytes(1_000_000));

    passes(PIN.plusSeconds(1));
    assertThat(blobs.collect(List.of())).isZero();
    passes(PIN.plusSeconds(1));
    assertThat(blobs.collect(List.of())).isEqualTo(3);
    assertThat(blobs.usedBytes("ada")).isZero();
    assertThat(ada.contains(first)).isFalse();
    ada.put(bytes(1_500_000));
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void uploadsAtATimeDoNotGoBeyondTheQuotaTogether(TestStore kind) throws Exception {
    start(kind);
    ExecutorService threads = Executors.newFixedThreadPool(6);
    int kept = 0;
    try {
      List<Future<String>> puts = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        byte[] content = bytes(800_000 + i);
        puts.add(threads.submit(() -> ada.put(content)));
      }
      for (Future<String> put : puts) {
        try {
          put.get();
          kept++;
        } catch (java.util.concurrent.ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(BlobQuotaExceeded.class);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    // All of them may stop one another, half way.
    assertThat(kept).isBetween(0, 3);
    assertThat(contentsOnDisk()).isEqualTo(kept);
    assertThat(blobs.usedBytes("ada")).isLessThanOrEqualTo(QUOTA);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whatIsNeitherPinnedNorUsedIsCollected(TestStore kind) throws Exception {
    start(kind);
    String pinned = ada.put(bytes(1));
    String used = ada.put(bytes(600_000));
    String unused = ada.put(bytes(600_001));
    Map<String, Set<String>> uses = new HashMap<>(Map.of(used, Set.of()));
    List<BlobUse> use = List.of(digests -> Map.copyOf(uses));

    assertThat(blobs.collect(use)).isZero();
    passes(PIN.plusSeconds(1));
    assertThat(ada.contains(pinned)).as("to say so pins it").isTrue();
    assertThat(blobs.collect(use)).isZero();
    assertThat(blobs.all().read(unused)).as("it goes a pin's length later").hasSize(600_001);
    passes(PIN.plusSeconds(1));
    assertThat(blobs.collect(use)).isEqualTo(1);
    assertThat(ada.contains(unused)).isFalse();
    passes(PIN.plusSeconds(1));
    assertThat(blobs.collect(use)).isEqualTo(1);

    assertThat(ada.contains(pinned)).isFalse();
    assertThat(ada.read(used)).isEqualTo(bytes(600_000));
    assertThat(contentsOnDisk()).isEqualTo(1);
    assertThat(ada.read(ada.put(bytes(600_001)))).hasSize(600_001);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void nothingIsCollectedWhenAUserOfBlobsCannotAnswer(TestStore kind) throws Exception {
    start(kind);
    String digest = ada.put(CONTENT);
    BlobUse silent =
        digests -> {
          throw new IOException("the space is not here");
        };
    for (int i = 0; i < 3; i++) {
      passes(PIN.plusSeconds(1));
      assertThatThrownBy(() -> blobs.collect(List.of(silent))).hasMessageContaining("not here");
    }
    assertThat(ada.read(digest)).isEqualTo(CONTENT);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void aReferenceThatComesWhileTheSweepLooksIsNotLost(TestStore kind) throws Exception {
    start(kind);
    String digest = ada.put(CONTENT);
    passes(PIN.plusSeconds(1));
    blobs.collect(List.of());
    passes(PIN.plusSeconds(1));
    // Between the look and the removal somebody asks, is told that it is there, and refers to it.
    BlobUse late =
        digests -> {
          assertThat(digests).contains(digest);
          assertThat(ada.contains(digest)).isTrue();
          return Map.of();
        };
    assertThat(blobs.collect(List.of(late))).isZero();
    assertThat(ada.read(digest)).isEqualTo(CONTENT);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void uploadsAndCollectionsOfOneContentDoNotHarmEachOther(TestStore kind) throws Exception {
    start(kind);
    byte[] content = bytes(300_000);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 15; i++) {
        ada.put(content);
        passes(PIN.plusSeconds(1));
        blobs.collect(List.of());
        passes(PIN.plusSeconds(1));
        Future<Integer> collected = thread.submit(() -> blobs.collect(List.of()));
        String digest = bob.put(content);
        collected.get();
        assertThat(bob.read(digest)).isEqualTo(content);
        assertThat(contentsOnDisk()).isEqualTo(1);
      }
    } finally {
      thread.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whatIsUsedIsChargedToThoseWhoseItIs(TestStore kind) throws Exception {
    start(kind);
    String result = bob.put(bytes(700_000));
    BlobUse bags = digests -> Map.of(result, Set.of("ada"));
    passes(PIN.plusSeconds(1));
    blobs.collect(List.of(bags));

    assertThat(blobs.usedBytes("bob")).isZero();
    assertThat(blobs.usedBytes("ada")).isEqualTo(700_000);
    assertThat(ada.read(result)).hasSize(700_000);
    passes(PIN.plusSeconds(1));
    blobs.collect(List.of());
    passes(PIN.plusSeconds(1));
    assertThat(blobs.collect(List.of())).isEqualTo(1);
    assertThat(blobs.usedBytes("ada")).isZero();
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void afterAStartNothingGoesForAPin(TestStore kind) throws Exception {
    start(kind);
    String digest = ada.put(CONTENT);
    passes(PIN.plusSeconds(1));
    blobs.collect(List.of());
    passes(PIN.multipliedBy(20));
    startAgain();
    assertThat(blobs.collect(List.of())).isZero();
    assertThat(ada.read(digest)).isEqualTo(CONTENT);
  }

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void rightsToReadEndADayAfterTheLastEntryThatNamedIt(TestStore kind) throws Exception {
    start(kind);
    String digest = ada.put(CONTENT);
    blobs.handed("bob", List.of(digest)).get(60, TimeUnit.SECONDS);
    passes(Duration.ofHours(25));
    startAgain();
    blobs.collect(List.of(digests -> Map.of(digest, Set.of())));
    assertThat(bob.contains(digest)).isFalse();
    assertThat(ada.contains(digest)).isTrue();
  }

  private void passes(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  private static InputStream breaking(int after) {
    return new SequenceInputStream(
        new ByteArrayInputStream(bytes(after)),
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
  }

  private void damage(TestStore kind, String digest) throws Exception {
    if (kind == TestStore.FILE) {
      Path file = folder.resolve("files").resolve(digest.substring(0, 2)).resolve(digest);
      byte[] damaged = Files.readAllBytes(file);
      damaged[200_000] ^= 1;
      Files.write(file, damaged);
    } else {
      try (var connection = database.dataSource().getConnection();
          var statement = connection.createStatement()) {
        statement.execute("update blob_chunk set bytes = '\\x00' where part = 1");
      }
    }
  }

  /** Contents that anything is stored of, in files or in rows. */
  private int contentsOnDisk() throws Exception {
    int found;
    try (var connection = database.dataSource().getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("select count(distinct content) from blob_chunk")) {
      row.next();
      found = row.getInt(1);
    }
    if (Files.isDirectory(folder.resolve("files"))) {
      try (Stream<Path> all = Files.walk(folder.resolve("files"))) {
        found += (int) all.filter(Files::isRegularFile).count();
      }
    }
    return found;
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
