package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import io.gleaner.matching.Transient;
import java.util.List;
import net.jini.core.entry.Entry;

/** What a launcher offers. Alive by its lease: lease gone, offer gone. */
@Transient
@CanonicalOnly
public class OfferEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The launcher. */
  @Shard public String launcherId;

  /** Who lends the machine and earns. */
  public String owner;

  /** Launchers of one network or owner share a site. */
  public String site;

  /** Tasks it runs at a time. */
  public Integer slots;

  /** Speed of one slot. */
  public Long microUnitsPerSecond;

  /** Memory for each slot. */
  public Integer memoryMegabytes;

  /** Names of the task kinds it runs. */
  public List<String> kinds;

  /** Words that a bag may ask for. */
  public List<String> labels;

  /** The only signers whose programs it runs; empty for all that the pool knows. */
  public List<String> signers;

  /** SHA-256 of the signed manifests of programs that it refuses to run. */
  public List<String> refused;

  /** Lowest price, in micro-credits for one unit of work. */
  public Long reserveMicrosPerUnit;

  /** How long it expects to stay, or null. */
  public Long stayMillis;

  /** The template that matches every entry of this class. */
  public OfferEntry() {}

  /** The template of the offer of one launcher. */
  public static OfferEntry ofLauncher(String launcherId) {
    OfferEntry template = new OfferEntry();
    template.launcherId = launcherId;
    return template;
  }
}
