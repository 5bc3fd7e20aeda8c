package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/**
 * A launcher serves a bag at a price. Written, renewed and ended by the market-maker only;
 * launchers read it.
 */
@CanonicalOnly
public class ContractEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** Who serves. */
  @Shard public String launcherId;

  /** The contract. */
  public String contractId;

  /** The bag that is served. */
  public String jobId;

  /** Slots of the launcher that serve it. */
  public Integer slots;

  /** Price for one unit of work. */
  public Long microsPerUnit;

  /** Leadership under which it was made. */
  public Long epoch;

  /** Plan that made it. */
  public Long round;

  /** The template that matches every entry of this class. */
  public ContractEntry() {}

  /** The template of the contracts of one launcher. */
  public static ContractEntry ofLauncher(String launcherId) {
    ContractEntry template = new ContractEntry();
    template.launcherId = launcherId;
    return template;
  }
}
