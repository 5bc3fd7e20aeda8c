package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import java.util.Map;
import net.jini.core.entry.Entry;

/**
 * One task that waits for a launcher. Taken by the launcher that runs it, under the transaction
 * whose lease is its heartbeat.
 */
@CanonicalOnly
public class TaskEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The bag. */
  public String jobId;

  /** What spreads a bag over partitions: {@link #shardOf}. */
  @Shard public String shard;

  /** Position in the bag, from 0. */
  public Integer taskIndex;

  /** Which of the equal copies, from 0. */
  public Integer replica;

  /** Which attempt this is, from 1. */
  public Integer attempt;

  /** Attempts that failed through the task itself. */
  public Integer faults;

  /** This point of the sweep. */
  public Map<String, String> parameters;

  /** Parameter name to blob digest, for those that are files. */
  public Map<String, String> inputs;

  /** Expected work, in millionths of a unit. */
  public Long estimateMicroUnits;

  /** The template that matches every entry of this class. */
  public TaskEntry() {}

  /** Shards a bag has at most. */
  public static final int SHARDS = 16;

  /** The shard of one task. */
  public static String shardOf(String jobId, int taskIndex) {
    return jobId + "/" + Math.floorMod(taskIndex, SHARDS);
  }

  /** The template of all waiting tasks of one bag. */
  public static TaskEntry ofJob(String jobId) {
    TaskEntry template = new TaskEntry();
    template.jobId = jobId;
    return template;
  }
}
