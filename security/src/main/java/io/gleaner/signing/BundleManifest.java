package io.gleaner.signing;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a bundle of code is: its parts by SHA-256, and how it runs. {@link #encode} is canonical.
 *
 * @param name of the bundle among those of its signer: up to 64 letters, digits, dots, hyphens
 * @param version from 1 up; a launcher takes none that is older than one it has seen
 * @param entryPoint what to start: a function, a class or a program, up to 200 characters
 * @param parts at least one and up to {@link #MOST_PARTS}, sorted by path
 */
public record BundleManifest(
    String name, long version, Kind kind, String entryPoint, Needs needs, List<Part> parts) {
  /** The most parts of a bundle. */
  public static final int MOST_PARTS = 1000;

  /** The path of the part that is a bag's program. */
  public static final String PROGRAM = "program";

  /** The longest manifest in bytes. */
  public static final int LARGEST_BYTES = 512 * 1024;

  static final String WHAT = "the manifest of the bundle";
  private static final String FORMAT = "1";
  private static final String SEGMENT = "[A-Za-z0-9_$+@-][A-Za-z0-9._$+@-]*";
  private static final int LONGEST_PATH = 300;

  /** How the code runs. */
  public enum Kind {
    /** WebAssembly, sandboxed by construction. */
    WASM,
    /** Java classes. */
    JAVA,
    /** A native program. */
    COMMAND;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a task needs at most; 0 where it does not say. */
  public record Needs(long memoryBytes, long diskBytes, long threads) {
    public Needs {
      if (memoryBytes < 0 || diskBytes < 0 || threads < 0 || threads > 1024) {
        throw refusal("a need is negative, or there are more than 1024 threads");
      }
    }
  }

  /**
   * A file of the bundle.
   *
   * @param path relative, with forward slashes and without {@code ..}
   * @param bytes its length
   */
  public record Part(String path, long bytes, String sha256) {
    public Part {
      if (path.length() > LONGEST_PATH
          || !path.matches(SEGMENT + "(/" + SEGMENT + ")*")
          || bytes < 0
          || !Digests.isSha256Hex(sha256)) {
        throw refusal("a part has no acceptable path, length or digest");
      }
    }
  }

  public BundleManifest {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,63}") || version < 1) {
      throw refusal("it has no acceptable name, or a version below 1");
    }
    if (!entryPoint.matches("[!-~]{1,200}")) {
      throw refusal("the entry point is not 1 to 200 printable characters without spaces");
    }
    if (parts.isEmpty() || parts.size() > MOST_PARTS) {
      throw refusal("it has " + parts.size() + " parts, expected 1 to " + MOST_PARTS);
    }
    parts = parts.stream().sorted(Comparator.comparing(Part::path)).toList();
    Set<String> paths = new HashSet<>();
    if (!parts.stream().allMatch(part -> paths.add(part.path().toLowerCase(Locale.ROOT)))) {
      throw refusal("two parts have one path");
    }
  }

  /** The one text of this manifest. */
  public byte[] encode() {
    StringBuilder text = new StringBuilder();
    text.append("gleaner-bundle: ").append(FORMAT);
    text.append("\nname: ").append(name);
    text.append("\nversion: ").append(version);
    text.append("\nkind: ").append(kind.text());
    text.append("\nentry: ").append(entryPoint);
    text.append("\nmemory-bytes: ").append(needs.memoryBytes());
    text.append("\ndisk-bytes: ").append(needs.diskBytes());
    text.append("\nthreads: ").append(needs.threads());
    for (Part part : parts) {
      text.append("\npart: ").append(part.sha256()).append(' ').append(part.bytes());
      text.append(' ').append(part.path());
    }
    return text.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** The part at this path, or empty. */
  public Optional<Part> part(String path) {
    return parts.stream().filter(part -> part.path().equals(path)).findFirst();
  }

  /** Why it is not the manifest of this program, or empty if it is. */
  public Optional<String> isNotOf(Kind itsKind, String itsEntry, String sha256) {
    if (kind != itsKind || !entryPoint.equals(itsEntry)) {
      return Optional.of(
          "its manifest says "
              + kind.text()
              + " "
              + entryPoint
              + ", the bag "
              + itsKind.text()
              + " "
              + itsEntry);
    }
    return part(PROGRAM).filter(part -> part.sha256().equals(sha256)).isPresent()
        ? Optional.empty()
        : Optional.of("its manifest names other bytes; sign it again");
  }

  static BundleManifest read(Lines lines) {
    if (!lines.value("gleaner-bundle").equals(FORMAT)) {
      throw lines.refusal("it has a format of another version; update this program");
    }
    String name = lines.value("name");
    long version = lines.number("version");
    String kind = lines.value("kind");
    String entry = lines.value("entry");
    Needs needs =
        new Needs(
            lines.number("memory-bytes"), lines.number("disk-bytes"), lines.number("threads"));
    List<Part> parts = new ArrayList<>();
    while (lines.hasNext("part") && parts.size() <= MOST_PARTS) {
      String[] fields = lines.value("part").split(" ", -1);
      if (fields.length != 3) {
        throw lines.refusal("a part is not a digest, a length and a path");
      }
      parts.add(new Part(fields[2], lines.number("the length", fields[1]), fields[0]));
    }
    for (Kind each : Kind.values()) {
      if (each.text().equals(kind)) {
        return new BundleManifest(name, version, each, entry, needs, parts);
      }
    }
    throw lines.refusal("its kind is none of wasm, java and command");
  }

  private static SecurityRefusal refusal(String why) {
    return new SecurityRefusal(Code.SIGNATURE_REFUSED, WHAT + " is refused: " + why);
  }
}
