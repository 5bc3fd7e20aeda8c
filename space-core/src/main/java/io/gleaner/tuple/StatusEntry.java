package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import io.gleaner.matching.Transient;
import java.util.List;
import net.jini.core.entry.Entry;

/** What a launcher says of itself; short-lived. */
@Transient
@CanonicalOnly
public class StatusEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The launcher. */
  @Shard public String launcherId;

  /** Who lends the machine. */
  public String owner;

  /** Where its state machine is. */
  public String state;

  /** The one reason why, with its numbers. */
  public String reason;

  /** Tasks it runs at a time. */
  public Integer slots;

  /** What it runs now, as bag/task. */
  public List<String> running;

  /** Tasks completed since it started. */
  public Long completed;

  /** Work done since it started, in millionths of a unit. */
  public Long meteredMicroUnits;

  /** Measured speed of one slot. */
  public Long microUnitsPerSecond;

  /** The template that matches every entry of this class. */
  public StatusEntry() {}

  /** The template of one launcher. */
  public static StatusEntry ofLauncher(String launcherId) {
    StatusEntry template = new StatusEntry();
    template.launcherId = launcherId;
    return template;
  }
}
