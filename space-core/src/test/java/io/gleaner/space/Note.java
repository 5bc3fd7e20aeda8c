package io.gleaner.space;

import net.jini.core.entry.Entry;

/** An entry of the tests. */
public class Note implements Entry {
  private static final long serialVersionUID = 1L;

  public String topic;
  public Integer number;

  public Note() {}

  public Note(String topic, Integer number) {
    this.topic = topic;
    this.number = number;
  }
}
