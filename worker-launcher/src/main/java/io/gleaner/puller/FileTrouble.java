package io.gleaner.puller;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/** What went wrong with a file, as a sentence with what to do. */
public final class FileTrouble {
  private static final String NOT_A_FOLDER = "Not a directory";

  private FileTrouble() {}

  /** Whether a file stands where a folder was named, which is for the writer of the command. */
  public static boolean isFileForFolder(IOException trouble) {
    return trouble instanceof FileAlreadyExistsException
        || trouble instanceof NotDirectoryException
        || (trouble instanceof FileSystemException named && NOT_A_FOLDER.equals(named.getReason()));
  }

  public static String sentence(IOException trouble) {
    if (!(trouble instanceof FileSystemException named) || named.getFile() == null) {
      return Optional.ofNullable(trouble.getMessage()).orElseGet(trouble::toString);
    }
    String file = named.getFile();
    if (isFileForFolder(trouble)) {
      return file + " is a file, or lies in one; name a folder, or a place for a new one";
    } else if (trouble instanceof NoSuchFileException) {
      return file + " is not there and cannot be made; name a place that this user may write";
    } else if (trouble instanceof AccessDeniedException) {
      return "this user may not read and write " + file + "; name another place";
    } else if (trouble instanceof DirectoryNotEmptyException) {
      return file + " is a folder with files in it; name a file, or another place";
    }
    return file
        + " cannot be used: "
        + Optional.ofNullable(named.getReason()).orElseGet(trouble::toString);
  }
}
