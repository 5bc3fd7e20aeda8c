package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Transient;
import net.jini.core.entry.Entry;

/**
 * Who may clear the market. Every plan reads it by its exact epoch, so that a paused leader can do
 * nothing. Gone with a restart of the whole space, which ends every term.
 */
@Transient
@CanonicalOnly
public class LeaderEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** Grows with every taking of office. */
  public Long epoch;

  /** The market-maker in office. */
  public String holder;

  /** The template that matches every entry of this class. */
  public LeaderEntry() {}
}
