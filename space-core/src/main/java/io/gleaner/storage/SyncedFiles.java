package io.gleaner.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * The file system that H2 knows as {@code synced:}: a write returns when the data is on the device.
 *
 * <p>H2 itself hands a commit to the operating system and does not ask it to sync, so a power cut
 * could lose an acknowledged one. It makes its instances by reflection, hence the public
 * constructor.
 */
public final class SyncedFiles extends FilePathWrapper {
  static final String SCHEME = "synced";

  /** Makes the scheme known to H2; again changes nothing. */
  static void register() {
    FilePath.register(new SyncedFiles());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return super.open(mode.equals("rw") ? "rwd" : mode);
  }
}
