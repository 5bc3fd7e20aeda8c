package io.gleaner.audit;

import java.util.Optional;

/**
 * Walks a chain from its first line and says where it is broken. After a break it goes on from what
 * is stored, so that each break is told once. For one thread.
 */
public final class ChainWalk {
  private long number;
  private String hash = ChainLine.GENESIS;

  /** The next line in the order of numbers; what is wrong with it, or before it. */
  public Optional<String> step(ChainLine line) {
    long expected = number + 1;
    boolean follows = line.previousHash().equals(hash);
    number = line.number();
    hash = line.hash();
    if (line.number() != expected) {
      return Optional.of(
          line.number() == expected + 1
              ? "line " + expected + " is missing"
              : "lines " + expected + " to " + (line.number() - 1) + " are missing");
    }
    if (!line.isIntact()) {
      return Optional.of(
          "line " + number + " was changed or moved: its content is not what was hashed");
    }
    return follows
        ? Optional.empty()
        : Optional.of(
            "line " + number + " does not follow line " + (number - 1) + ": that was replaced");
  }

  /** After the last line; what the head says otherwise. */
  public Optional<String> end(ChainHead head) {
    if (head.line() > number) {
      return Optional.of(
          "the last line is " + number + ", but line " + head.line() + " was written");
    }
    return head.line() == number && head.hash().equals(hash)
        ? Optional.empty()
        : Optional.of("the head does not name line " + number + ", the last one");
  }

  /** Number of the line that was last. */
  public long number() {
    return number;
  }

  /** The stored hash of the line that was last. */
  public String hash() {
    return hash;
  }
}
