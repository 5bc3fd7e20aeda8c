package io.gleaner.space;

import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/** An entry of the tests that is spread over shards. */
public class SpreadNote implements Entry {
  private static final long serialVersionUID = 1L;

  @Shard public String shard;
  public Integer number;

  public SpreadNote() {}

  public SpreadNote(String shard, Integer number) {
    this.shard = shard;
    this.number = number;
  }
}
