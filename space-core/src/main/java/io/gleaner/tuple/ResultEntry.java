package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/** How an attempt ended. Written in the transaction that took exactly that task. */
@CanonicalOnly
public class ResultEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The bag. */
  @Shard public String jobId;

  /** The task. */
  public Integer taskIndex;

  /** The copy. */
  public Integer replica;

  /** The attempt. */
  public Integer attempt;

  /** Attempts that failed through the task itself, this one not counted. */
  public Integer faults;

  /** Who ran it. */
  public String launcherId;

  /** Under which contract. */
  public String contractId;

  /** Completed or failed. */
  public Outcome outcome;

  /** SHA-256 of the result. */
  public String outputDigest;

  /** Serial number of the launcher's certificate; open for one without. */
  public String certificate;

  /**
   * The launcher's signature of {@link io.gleaner.signing.ResultStatement} with the key of that
   * certificate, ECDSA in DER form; open for a task that failed.
   */
  public byte[] signature;

  /** The result itself if it is at most 64 KB, else it lies in the blob store. */
  public byte[] output;

  /** Work done, in millionths of a unit. */
  public Long meteredMicroUnits;

  /** Running time. */
  public Long elapsedMillis;

  /** Why it failed. */
  public String reason;

  /** The last lines that it printed. */
  public String logTail;

  /** The template that matches every entry of this class. */
  public ResultEntry() {}

  /** Results up to this length travel in the entry. */
  public static final int INLINE_BYTES = 64 * 1024;

  /** The template of all results of one bag. */
  public static ResultEntry ofJob(String jobId) {
    ResultEntry template = new ResultEntry();
    template.jobId = jobId;
    return template;
  }
}
