package io.gleaner.bag;

import io.gleaner.signing.Digests;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a submission as text, a line of digest and name for each, in the order of the names.
 */
final class FileList {
  private FileList() {}

  /**
   * Writes the list.
   *
   * @throws BagException if a digest is none or a name cannot stand on a line
   */
  static String write(Map<String, String> files) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
      boolean plain =
          !file.getKey().isEmpty() && file.getKey().chars().noneMatch(Character::isISOControl);
      if (!Digests.isSha256Hex(file.getValue()) || !plain) {
        throw new BagException(
            BagException.Code.MISSING_FILE,
            "the file '"
                + file.getKey().replaceAll("\\p{Cntrl}", "?")
                + "' needs a name without control characters and the SHA-256 of its content");
      }
      text.append(file.getValue()).append(' ').append(file.getKey()).append('\n');
    }
    return text.toString();
  }

  static Map<String, String> read(String text) {
    Map<String, String> files = new LinkedHashMap<>();
    text.lines()
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              files.put(line.substring(space + 1), line.substring(0, space));
            });
    return files;
  }
}
