package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Transient;
import net.jini.core.entry.Entry;

/**
 * What a clearing found; short-lived. Written when that changed, and again before it ends: of
 * several the one with the highest round counts.
 */
@Transient
@CanonicalOnly
public class PriceEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The clearing. */
  public Long round;

  /** Leadership under which it was made. */
  public Long epoch;

  /** Which mechanism decided. */
  public String mechanism;

  /** Clearing price, or null where nobody traded or there are no prices. */
  public Long microsPerUnit;

  /** Slots on offer. */
  public Integer slotsOffered;

  /** Slots that the bids wanted. */
  public Integer slotsWanted;

  /** Slots under contract after it. */
  public Integer slotsTraded;

  /** When, milliseconds since 1970. */
  public Long atMillis;

  /** The template that matches every entry of this class. */
  public PriceEntry() {}
}
