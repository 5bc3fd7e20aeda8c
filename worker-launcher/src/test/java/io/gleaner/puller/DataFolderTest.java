package io.gleaner.puller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.blob.FileBlobStore;
import io.gleaner.cache.BlobCache;
import io.gleaner.leasing.Ticker;
import io.gleaner.sandbox.JavaSandbox;
import io.gleaner.sandbox.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a launcher, and who can look into it. */
@Timeout(60)
class DataFolderTest {
  @TempDir Path temp;

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void otherUsersOfTheMachineCannotLookIntoItThoughAnEarlierVersionLeftItOpen() throws Exception {
    Path folder = temp.resolve("worker");
    Path cache = folder.resolve("cache");
    Path children = folder.resolve("children");
    for (Path open : new Path[] {folder, cache, children}) {
      Files.createDirectory(open);
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    try (DataFolder locked = DataFolder.lock(folder)) {
      assertThat(modes(locked.path())).isEqualTo("rwx------");
    }
    BlobCache blobs =
        new BlobCache(
            cache, 100, new FileBlobStore(temp.resolve("blobs"), 100), InstantSource.system());
    JavaSandbox sandbox = new JavaSandbox(children, new Spawner(), Ticker.system());

    assertThat(blobs.sizeBytes()).isZero();
    assertThat(sandbox).isNotNull();
    assertThat(modes(cache)).isEqualTo("rwx------");
    assertThat(modes(children)).isEqualTo("rwx------");
    try (DataFolder made = DataFolder.lock(temp.resolve("new"))) {
      assertThat(modes(made.path())).isEqualTo("rwx------");
    }
  }

  private static String modes(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
