package io.gleaner.audit;

import io.gleaner.signing.Signer;
import java.util.List;
import java.util.Set;

/**
 * What a check of one chain found.
 *
 * @param lines how many there are
 * @param signedLine up to which line a checkpoint says what it says; 0 if none does
 * @param signers who signed the checkpoints that count and are right
 */
public record ChainReport(
    String chain, long lines, long signedLine, Set<Signer> signers, List<Finding> findings) {

  public ChainReport {
    signers = Set.copyOf(signers);
    findings = List.copyOf(findings);
  }

  /**
   * Something that is not as it was written.
   *
   * @param line where
   */
  public record Finding(long line, String what) {}
}
