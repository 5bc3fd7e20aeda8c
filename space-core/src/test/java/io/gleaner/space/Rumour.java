package io.gleaner.space;

import io.gleaner.matching.Transient;
import net.jini.core.entry.Entry;

/** An entry of the tests that does not survive a restart. */
@Transient
public class Rumour implements Entry {
  private static final long serialVersionUID = 1L;

  public String text;

  public Rumour() {}

  public Rumour(String text) {
    this.text = text;
  }
}
