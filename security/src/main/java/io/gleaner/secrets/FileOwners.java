package io.gleaner.secrets;

import com.sun.security.auth.module.UnixSystem;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whose a file is, by numbers of users, where the system numbers them. */
final class FileOwners {
  /** Who may read everything anyway. */
  static final long ROOT = 0;

  /** Where users have no numbers. */
  private static final long NOBODY_KNOWN = -1;

  /** This process's user. */
  static final long USER = user();

  private static final String VIEW = "unix";
  private static final String OWNER = VIEW + ":uid";

  private FileOwners() {}

  private static long user() {
    try {
      return new UnixSystem().getUid();
    } catch (LinkageError e) {
      return NOBODY_KNOWN;
    }
  }

  /**
   * Whoever owns a file can write into it again, whatever its mode says.
   *
   * @throws SecurityRefusal if the file is neither the user's nor root's
   */
  static void requireOwn(Path file, long user) throws IOException {
    if (user == NOBODY_KNOWN
        || !file.getFileSystem().supportedFileAttributeViews().contains(VIEW)) {
      return;
    }
    long owner = ((Number) Files.getAttribute(file, OWNER)).longValue();
    if (owner != user && owner != ROOT) {
      throw new SecurityRefusal(
          Code.SECRET_FILE_OPEN,
          "the secret file "
              + file
              + " belongs to "
              + Files.getOwner(file).getName()
              + ", who can change it; expected the user who runs this, or root; copy it, or run:"
              + " chown "
              + user
              + " "
              + file);
    }
  }
}
