package io.gleaner.space;

import io.gleaner.matching.Transient;
import net.jini.core.entry.Entry;

/** An entry of the tests that does not survive a restart. */
@Transient
public class PresenceNote implements Entry {
  private static final long serialVersionUID = 1L;

  public String topic;
  public Integer number;

  public PresenceNote() {}

  public PresenceNote(String topic, Integer number) {
    this.topic = topic;
    this.number = number;
  }
}
