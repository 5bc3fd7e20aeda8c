package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.sandbox.TaskEnd;
import io.gleaner.signing.Digests;
import io.gleaner.signing.ResultSigner;
import io.gleaner.signing.ResultStatement;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.io.IOException;
import java.util.HexFormat;

/** Makes result entries: small results travel in them, large ones go to the blob store first. */
final class Results {
  private static final int LONGEST_REASON = 2000;
  private static final double MICROS = 1_000_000;

  private final BlobStore blobs;
  private final String launcherId;
  private final long microUnitsPerSecond;
  private final ResultSigner signer;

  Results(BlobStore blobs, String launcherId, long microUnitsPerSecond, ResultSigner signer) {
    this.signer = signer;
    this.blobs = blobs;
    this.launcherId = launcherId;
    this.microUnitsPerSecond = microUnitsPerSecond;
  }

  ResultEntry completed(String contractId, TaskEntry task, TaskEnd.Completed end)
      throws IOException {
    ResultEntry entry = entry(contractId, task, end);
    entry.outcome = Outcome.COMPLETED;
    entry.logTail = end.logTail();
    if (end.output().length <= ResultEntry.INLINE_BYTES) {
      entry.output = end.output();
      entry.outputDigest = Digests.sha256Hex(end.output());
    } else {
      entry.outputDigest = blobs.put(end.output());
    }
    sign(entry);
    return entry;
  }

  private void sign(ResultEntry entry) {
    signer
        .sign(
            new ResultStatement(
                entry.jobId, entry.taskIndex, entry.replica, entry.attempt, entry.outputDigest))
        .ifPresent(
            signed -> {
              entry.certificate = signed.certificate();
              entry.signature = HexFormat.of().parseHex(signed.signature());
            });
  }

  ResultEntry failed(String contractId, TaskEntry task, TaskEnd.Failed end) {
    ResultEntry entry = entry(contractId, task, end);
    entry.outcome = Outcome.FAILED;
    String reason = end.fault() + ": " + end.reason();
    entry.reason = reason.substring(0, Math.min(LONGEST_REASON, reason.length()));
    entry.logTail = end.logTail();
    return entry;
  }

  private ResultEntry entry(String contractId, TaskEntry task, TaskEnd end) {
    ResultEntry entry = ResultEntry.ofJob(task.jobId);
    entry.taskIndex = task.taskIndex;
    entry.replica = task.replica;
    entry.attempt = task.attempt;
    entry.faults = task.faults;
    entry.launcherId = launcherId;
    entry.contractId = contractId;
    entry.meteredMicroUnits = Math.round(end.cpuMicros() / MICROS * microUnitsPerSecond);
    entry.elapsedMillis = end.elapsedMillis();
    return entry;
  }
}
