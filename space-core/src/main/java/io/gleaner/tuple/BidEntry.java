package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/** What a bag may pay. Lives until the bag ends. */
@CanonicalOnly
public class BidEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The bag. */
  @Shard public String jobId;

  /** The user who pays. */
  public String owner;

  /** Highest price, in micro-credits for one unit of work. */
  public Long microsPerUnit;

  /** Highest price for one task, or null where only the price per unit counts. */
  public Long microsPerTask;

  /** Most that the whole bag may cost. */
  public Long budgetMicros;

  /** When it should be complete, milliseconds since 1970, or null. */
  public Long deadlineMillis;

  /** For managed economies: 1 (least) to 10. */
  public Integer importance;

  /** When it was submitted, milliseconds since 1970. */
  public Long submittedMillis;

  /** Expected work of one task, in millionths of a unit. */
  public Long estimateMicroUnits;

  /** The template that matches every entry of this class. */
  public BidEntry() {}

  /** The template of the bid of one bag. */
  public static BidEntry ofJob(String jobId) {
    BidEntry template = new BidEntry();
    template.jobId = jobId;
    return template;
  }
}
