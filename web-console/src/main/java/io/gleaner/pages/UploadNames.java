package io.gleaner.pages;

import io.gleaner.description.BagDescription;
import io.gleaner.description.BagParser;
import io.gleaner.description.DescriptionException;
import io.gleaner.description.Glob;
import java.util.HashMap;
import java.util.Map;

/**
 * Browsers hand in a file without its folder, descriptions name it with one: an uploaded {@code
 * render.jar} serves as {@code target/render.jar}.
 */
final class UploadNames {

  private UploadNames() {}

  /** The files by their uploaded name, and by each name of the description that ends with it. */
  static Map<String, String> asDescribed(String description, Map<String, String> uploaded) {
    Map<String, String> files = new HashMap<>(uploaded);
    try {
      add(BagParser.parse(description), uploaded, files);
    } catch (DescriptionException invalid) {
      // Submission parses it again and refuses it with every error.
    }
    return files;
  }

  private static void add(
      BagDescription bag, Map<String, String> uploaded, Map<String, String> files) {
    for (String named : bag.files()) {
      String digest = uploaded.get(lastPart(named));
      if (digest != null) {
        files.putIfAbsent(named, digest);
      }
    }
    Glob.Work work = new Glob.Work();
    for (String pattern : bag.patterns()) {
      String folder = pattern.substring(0, pattern.length() - lastPart(pattern).length());
      Glob glob = Glob.of(lastPart(pattern));
      uploaded.forEach(
          (name, digest) -> {
            if (glob.matches(name, work)) {
              files.putIfAbsent(folder + name, digest);
            }
          });
    }
  }

  private static String lastPart(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
