package io.gleaner.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.space.TestJvm;
import io.gleaner.storage.Schema;
import io.gleaner.storage.TestStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kills a process in the middle of an upload. */
@Timeout(180)
class BlobHaltTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void whatWasPutIsThereAndNothingOfAnUploadThatWasCut(TestStore kind) throws Exception {
    String place = kind.in(folder.resolve("database"));
    Path files = folder.resolve("files");
    String digest = uploadUntilKilled(place, files);

    Instant muchLater = Instant.now().plus(Duration.ofHours(2));
    try (var database = TestStore.open(place, Schema.NODE);
        var blobs =
            KeptBlobs.open(
                database, files, BlobSettings.standard(), InstantSource.fixed(muchLater))) {
      assertThat(blobs.of("ada").read(digest)).isEqualTo(new byte[600_000]);
      assertThat(blobs.usedBytes("ada")).isEqualTo(600_000);
      assertThat(number(database.dataSource(), "select count(*) from blob")).isEqualTo(1);
      blobs.collect(List.of());
      assertThat(
              number(database.dataSource(), "select count(*) from blob_upload")
                  + number(database.dataSource(), "select count(*) from blob_chunk"))
          .isEqualTo(kind == TestStore.FILE ? 0 : 3);
    }
    if (kind == TestStore.FILE) {
      try (Stream<Path> all = Files.walk(files)) {
        assertThat(all.filter(Files::isRegularFile)).hasSize(1);
      }
    }
  }

  private static String uploadUntilKilled(String place, Path files) throws Exception {
    Process process = TestJvm.program(UploadingProgram.class, place, files).start();
    String digest = "";
    StringBuilder others = new StringBuilder();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("put ")) {
          digest = line.substring(4);
        } else if (line.startsWith("sent ")) {
          process.toHandle().destroyForcibly();
        } else {
          others.append(line).append('\n');
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(digest).as("%s", others).hasSize(64);
    return digest;
  }

  private static long number(DataSource source, String sql) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
