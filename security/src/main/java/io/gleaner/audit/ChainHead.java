package io.gleaner.audit;

/**
 * The end of a chain.
 *
 * @param line number of its last line, 0 if it has none
 */
public record ChainHead(long line, String hash) {
  /** Where there is no row for it any more. */
  public static final ChainHead NONE = new ChainHead(-1, "");
}
