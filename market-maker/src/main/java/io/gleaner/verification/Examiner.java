package io.gleaner.verification;

import io.gleaner.bag.TaskRegister;
import io.gleaner.blob.BlobStore;
import io.gleaner.signing.Digests;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.verification.Finding.Claimed;
import io.gleaner.verification.Finding.Dropped;
import io.gleaner.verification.Finding.Faulted;
import io.gleaner.verification.Finding.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks the form of one result: the bag is open, the contract is the launcher's, which signed it,
 * the output is what its digest says and lies in the blob store afterwards. Safe for all threads.
 */
final class Examiner {
  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,200}");

  private final Contracts contracts;
  private final BlobStore blobs;
  private final ResultSignatures signatures;

  Examiner(Contracts contracts, BlobStore blobs, ResultSignatures signatures) {
    this.contracts = contracts;
    this.blobs = blobs;
    this.signatures = signatures;
  }

  /** Whether the entry says which task it belongs to. */
  static boolean isWhole(ResultEntry result) {
    return result.jobId != null
        && result.taskIndex != null
        && result.taskIndex >= 0
        && result.replica != null
        && result.attempt != null
        && result.launcherId != null
        && result.outcome != null;
  }

  /**
   * Looks at a whole result.
   *
   * @param before the claim that was accepted for this replica, if there is one
   * @throws IOException if the blob store cannot be used now
   */
  Finding examine(
      ResultEntry result, TaskRegister.Terms terms, Quorum quorum, Optional<Claim> before)
      throws IOException {
    if (result.replica < 0 || result.replica >= quorum.most()) {
      return new Dropped("there is no replica " + result.replica);
    }
    if (before.isPresent()) {
      Claim claim = before.get();
      boolean again =
          claim.attempt() == result.attempt && claim.launcherId().equals(result.launcherId);
      return again ? new Claimed(claim) : new Dropped("this replica was answered before");
    }
    Optional<Contracts.Terms> found =
        result.contractId == null || !NAME.matcher(result.contractId).matches()
            ? Optional.empty()
            : contracts.find(result.contractId);
    if (found.isEmpty()) {
      return new Refused("the contract that it names is not known");
    }
    Contracts.Terms contract = found.get();
    if (!contract.launcherId().equals(result.launcherId)
        || !contract.jobId().equals(result.jobId)) {
      return new Refused(
          "contract "
              + result.contractId
              + " is of launcher "
              + contract.launcherId()
              + " for bag "
              + contract.jobId());
    }
    if (result.outcome == Outcome.FAILED) {
      return new Faulted();
    }
    return examineOutput(result, terms, contract);
  }

  private Finding examineOutput(
      ResultEntry result, TaskRegister.Terms terms, Contracts.Terms contract) throws IOException {
    String digest = result.outputDigest;
    if (digest == null || !Digests.isSha256Hex(digest)) {
      return new Refused("it has no digest of its output");
    }
    Optional<String> unsigned = signatures.refusal(result, contract.owner());
    if (unsigned.isPresent()) {
      return new Refused(unsigned.get());
    }
    long bytes;
    if (result.output != null) {
      if (!Digests.sha256Hex(result.output).equals(digest)) {
        return new Refused("its output is not what its digest says");
      }
      blobs.put(result.output);
      bytes = result.output.length;
    } else if (blobs.contains(digest)) {
      bytes = length(digest);
    } else {
      return new Refused("its output is not in the blob store");
    }
    return new Claimed(
        new Claim(
            Finding.task(result),
            result.replica,
            result.attempt,
            result.launcherId,
            contract.owner(),
            digest,
            bytes,
            Math.min(orZero(result.meteredMicroUnits), terms.microUnitsPerTask()),
            contract.microsPerUnit(),
            orZero(result.elapsedMillis)));
  }

  /** Reads the whole blob, which also verifies it against its digest. */
  private long length(String digest) throws IOException {
    try (InputStream content = blobs.open(digest)) {
      return content.transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  private static long orZero(Long value) {
    return value == null ? 0 : Math.max(0, value);
  }
}
