package io.gleaner.puller;

import io.gleaner.policy.LauncherException;
import io.gleaner.secrets.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder of one launcher, locked so that no second one uses it. */
final class DataFolder implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;

  private DataFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Creates the folder, closes it to other users of the machine, and locks it.
   *
   * @throws LauncherException DATA_FOLDER if another launcher has it or it cannot be written
   */
  static DataFolder lock(Path path) {
    try {
      PrivateFolder.create(path);
      FileChannel channel =
          FileChannel.open(
              path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new LauncherException(
            LauncherException.Code.DATA_FOLDER,
            "another launcher uses the folder " + path + "; stop it, or name another with --data");
      }
      return new DataFolder(path, channel);
    } catch (IOException e) {
      throw new LauncherException(
          LauncherException.Code.DATA_FOLDER,
          "the folder " + path + " cannot be used: " + FileTrouble.sentence(e),
          e);
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very JVM
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
