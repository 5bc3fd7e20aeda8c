package io.gleaner.secrets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** A folder into which nobody but its owner can look, where the file system knows modes. */
public final class PrivateFolder {

  private PrivateFolder() {}

  /** Makes the folder if it is not there, and closes it to others (mode 0700) if it is. */
  public static void create(Path folder) throws IOException {
    Files.createDirectories(folder);
    if (Files.getFileStore(folder).supportsFileAttributeView(PosixFileAttributeView.class)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
