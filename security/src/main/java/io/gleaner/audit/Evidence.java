package io.gleaner.audit;

import io.gleaner.signing.Signer;
import java.util.List;
import java.util.Set;

/**
 * What somebody who checks chains brings along.
 *
 * @param signers whose checkpoints in the database count; empty for everybody's, which proves
 *     nothing against somebody who may write to the database
 * @param kept checkpoints that were kept elsewhere; they always count
 */
public record Evidence(Set<Signer> signers, List<Checkpoint> kept) {
  /** Nothing. */
  public static final Evidence NONE = new Evidence(Set.of(), List.of());

  public Evidence {
    signers = Set.copyOf(signers);
    kept = List.copyOf(kept);
  }

  boolean counts(Signer signer) {
    return signers.isEmpty() || signers.contains(signer);
  }
}
