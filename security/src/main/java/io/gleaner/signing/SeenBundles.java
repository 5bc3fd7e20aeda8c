package io.gleaner.signing;

import io.gleaner.secrets.SecretFile;
import io.gleaner.secrets.SecurityRefusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest version of each bundle that this machine has run, in a file, so that nobody brings
 * back an older one. The latest {@value #MOST} bundles are remembered. Safe for all threads;
 * guarded by its monitor.
 */
public final class SeenBundles {
  private static final int MOST = 500;
  private static final int LARGEST_BYTES = 64 * 1024;

  private record Seen(long version, String digest) {}

  private final Path file;
  // By the first half of the SHA-256 of signer and name, the longest unused first.
  private final LinkedHashMap<String, Seen> newest = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Reads what was seen.
   *
   * @throws SecurityRefusal if the file is damaged, or others can change it
   */
  public SeenBundles(Path file) {
    this.file = file;
    if (Files.exists(file)) {
      Lines lines =
          new Lines("the list of bundles " + file, SecretFile.readBytes(file), LARGEST_BYTES);
      while (lines.hasNext("bundle")) {
        String[] fields = lines.value("bundle").split(" ", -1);
        if (fields.length != 3) {
          throw lines.refusal("a line is not a name, a version and a digest");
        }
        newest.put(fields[0], new Seen(lines.number("version", fields[1]), fields[2]));
      }
      lines.requireEnd();
    }
  }

  /**
   * Remembers a bundle.
   *
   * @throws SecurityRefusal if a newer version of it was seen, or another one of the same version
   */
  synchronized void require(SignedManifest signed) {
    String name = id(signed.signer().hex() + " " + signed.manifest().name());
    Seen next = new Seen(signed.manifest().version(), id(signed.digest()));
    Seen last = newest.get(name);
    if (last != null && last.version > next.version) {
      throw BundleTrust.refusal(signed, "this machine has run version " + last.version);
    } else if (last != null && last.version == next.version && !last.equals(next)) {
      throw BundleTrust.refusal(
          signed, "this machine has run another bundle of the same version; raise it");
    } else if (next.equals(last)) {
      return;
    }
    newest.put(name, next);
    if (newest.size() > MOST) {
      newest.remove(newest.keySet().iterator().next());
    }
    write();
  }

  private void write() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, Seen> each : newest.entrySet()) {
      text.append("bundle: ").append(each.getKey()).append(' ');
      text.append(each.getValue().version).append(' ').append(each.getValue().digest).append('\n');
    }
    SecretFile.writeBytes(file, text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static String id(String text) {
    return Digests.sha256Hex(text).substring(0, 32);
  }
}
