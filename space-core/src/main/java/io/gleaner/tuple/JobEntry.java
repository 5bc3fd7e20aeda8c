package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import java.util.List;
import net.jini.core.entry.Entry;

/**
 * A bag of tasks as the market sees it; one per bag. Written by the submission, changed by nobody
 * else.
 */
@CanonicalOnly
public class JobEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The bag. */
  @Shard public String jobId;

  /** The user who pays. */
  public String owner;

  /** Where the bag is in its life. */
  public JobState state;

  /** How its tasks run. */
  public TaskKind kind;

  /** SHA-256 of the program, in the blob store. */
  public String bundleDigest;

  /** What of the program to run: a class for java. */
  public String entryPoint;

  /** The program's manifest and its signature, as {@code SignedManifest.encode} writes them. */
  public byte[] manifest;

  /** Who signed it, for the book; launchers ask the manifest. */
  public String signer;

  /** How many tasks it has. */
  public Integer tasks;

  /** How many equal results a task needs, at least 1. */
  public Integer replication;

  /** Memory that one task needs. */
  public Integer memoryMegabytes;

  /** Faults of a task after which it is parked. */
  public Integer maxAttempts;

  /** Work after which a task is stopped, in millionths of a unit. */
  public Long microUnitsPerTask;

  /** Running time after which a task is stopped. */
  public Long timeLimitMillis;

  /** Scratch space that one task may use. */
  public Long diskLimitBytes;

  /** Longest result of a task. */
  public Long outputLimitBytes;

  /** Sites, owners or labels that may run it; empty for everybody. */
  public List<String> runOn;

  /** The template that matches every entry of this class. */
  public JobEntry() {}

  /** The template of one bag. */
  public static JobEntry ofJob(String jobId) {
    JobEntry template = new JobEntry();
    template.jobId = jobId;
    return template;
  }
}
