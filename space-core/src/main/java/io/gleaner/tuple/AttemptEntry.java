package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/** Says which launcher runs a task now; lives as long as the attempt. */
@CanonicalOnly
public class AttemptEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The bag. */
  @Shard public String jobId;

  /** The task. */
  public Integer taskIndex;

  /** The copy. */
  public Integer replica;

  /** The attempt. */
  public Integer attempt;

  /** Who runs it. */
  public String launcherId;

  /** Under which contract. */
  public String contractId;

  /** How far it is, 0 to 1. */
  public Double progress;

  /** The template that matches every entry of this class. */
  public AttemptEntry() {}

  /** The template of all attempts of one bag. */
  public static AttemptEntry ofJob(String jobId) {
    AttemptEntry template = new AttemptEntry();
    template.jobId = jobId;
    return template;
  }
}
