package io.gleaner.secrets;

import io.gleaner.secrets.SecurityRefusal.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds one secret, text or bytes, and that nobody but its owner can read or write
 * (mode 0600 where the file system knows modes). Its owner is this process's user or root.
 */
public final class SecretFile {
  private static final int LARGEST_BYTES = 64 * 1024;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);

  private SecretFile() {}

  /** Writes the secret and a line end, replacing the file in one step. */
  public static void write(Path file, Secret secret) {
    writeBytes(file, (secret.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the bytes, replacing the file in one step; they are on disk when this returns. */
  public static void writeBytes(Path file, byte[] content) {
    Path target = file.toAbsolutePath();
    Path folder = target.getParent();
    try {
      Files.createDirectories(folder);
      Path temporary = Files.createTempFile(folder, ".secret", ".new", ownerOnly(folder));
      try {
        try (FileChannel out = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
          ByteBuffer bytes = ByteBuffer.wrap(content);
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
          out.force(true);
        }
        replace(temporary, target);
        keepName(folder);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the secret file " + file, e);
    }
  }

  /**
   * Reads the secret, without white space around it.
   *
   * @throws SecurityRefusal if the file is missing, empty, not a plain file, open to others or
   *     somebody else's
   */
  public static Secret read(Path file) {
    return text(file, readBytes(file));
  }

  /** As {@link #read}, by a process of that user. */
  static Secret read(Path file, long user) {
    return text(file, readBytes(file, EnumSet.noneOf(PosixFilePermission.class), user));
  }

  /**
   * Reads a secret that the system's manager of services hands over: its group may read it too,
   * since systemd gives the service access by a list that shows as rights of the group.
   *
   * @throws SecurityRefusal as {@link #read}
   */
  public static Secret readCredential(Path file) {
    return text(file, readBytes(file, EnumSet.of(PosixFilePermission.GROUP_READ)));
  }

  /**
   * Reads up to 64 KiB.
   *
   * @throws SecurityRefusal if the file is missing, too long, not a plain file, open to others or
   *     somebody else's
   */
  public static byte[] readBytes(Path file) {
    return readBytes(file, EnumSet.noneOf(PosixFilePermission.class));
  }

  private static byte[] readBytes(Path file, Set<PosixFilePermission> tolerated) {
    return readBytes(file, tolerated, FileOwners.USER);
  }

  private static byte[] readBytes(Path file, Set<PosixFilePermission> tolerated, long user) {
    if (!Files.isRegularFile(file)) {
      throw new SecurityRefusal(
          Code.SECRET_FILE_UNREADABLE,
          "there is no secret file " + file + "; check the path, or write the secret there");
    }
    try {
      requireClosed(file, tolerated);
      FileOwners.requireOwn(file, user);
      if (Files.size(file) > LARGEST_BYTES) {
        throw new SecurityRefusal(
            Code.SECRET_FILE_UNREADABLE,
            file + " is longer than " + LARGEST_BYTES + " bytes, so it is no secret file");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new SecurityRefusal(
          Code.SECRET_FILE_UNREADABLE,
          "the secret file " + file + " cannot be read: " + e.getMessage(),
          e);
    }
  }

  private static Secret text(Path file, byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    if (text.isEmpty()) {
      throw new SecurityRefusal(
          Code.SECRET_FILE_UNREADABLE, "the secret file " + file + " is empty");
    }
    return Secret.of(text);
  }

  private static void requireClosed(Path file, Set<PosixFilePermission> tolerated)
      throws IOException {
    if (!knowsModes(file)) {
      return;
    }
    Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
    if (modes.stream()
        .anyMatch(mode -> !mode.name().startsWith("OWNER") && !tolerated.contains(mode))) {
      throw new SecurityRefusal(
          Code.SECRET_FILE_OPEN,
          "others than its owner may use the secret file "
              + file
              + " ("
              + PosixFilePermissions.toString(modes)
              + "); run: chmod 600 "
              + file);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path folder) throws IOException {
    return knowsModes(folder)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private static boolean knowsModes(Path path) throws IOException {
    return Files.getFileStore(path.toRealPath(new LinkOption[0]))
        .supportsFileAttributeView("posix");
  }

  private static void replace(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  // A file system that cannot open a folder keeps the name by other means, or not at all.
  private static void keepName(Path folder) {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      LOG.debug("folder {} cannot be forced to disk", folder, e);
    }
  }
}
