package io.gleaner.audit;

import io.gleaner.signing.Digests;
import java.util.List;

/**
 * A line of a chain as it is stored.
 *
 * @param number 1 for the first, without a gap
 * @param previousHash what it says that the line before hashes to
 * @param content its fields in their order
 * @param hash what it says that itself hashes to
 */
public record ChainLine(long number, String previousHash, List<String> content, String hash) {
  /** What the first line follows. */
  public static final String GENESIS = "0".repeat(64);

  public ChainLine {
    content = List.copyOf(content);
  }

  /**
   * SHA-256 over the hash of the line before, the number and the fields, one per line; a backslash
   * or line feed within a field is written as two characters, so no two contents are written alike.
   */
  public static String hash(String previousHash, long number, List<String> content) {
    StringBuilder text = new StringBuilder(256).append(previousHash).append('\n').append(number);
    for (String field : content) {
      text.append('\n').append(field.replace("\\", "\\\\").replace("\n", "\\n"));
    }
    return Digests.sha256Hex(text.toString());
  }

  /** Whether its content is what was hashed. */
  boolean isIntact() {
    return hash.equals(hash(previousHash, number, content));
  }
}
