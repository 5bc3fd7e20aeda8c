package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/**
 * The state from which a task can go on elsewhere; carries the attempt, so that a stale one is
 * refused.
 */
@CanonicalOnly
public class CheckpointEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The bag. */
  @Shard public String jobId;

  /** The task. */
  public Integer taskIndex;

  /** The copy. */
  public Integer replica;

  /** The attempt that saved it. */
  public Integer attempt;

  /** Who saved it. */
  public String launcherId;

  /** SHA-256 of the state, in the blob store. */
  public String digest;

  /** How far it was, 0 to 1. */
  public Double progress;

  /** The template that matches every entry of this class. */
  public CheckpointEntry() {}

  /** The template of all checkpoints of one bag. */
  public static CheckpointEntry ofJob(String jobId) {
    CheckpointEntry template = new CheckpointEntry();
    template.jobId = jobId;
    return template;
  }
}
