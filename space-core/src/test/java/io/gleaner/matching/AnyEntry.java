package io.gleaner.matching;

import net.jini.core.entry.Entry;

/** An entry of the tests with a field of any type and one to look for. */
public class AnyEntry implements Entry {
  private static final long serialVersionUID = 1L;

  public String name;
  public Object value;

  public AnyEntry() {}

  public AnyEntry(String name, Object value) {
    this.name = name;
    this.value = value;
  }

  /** A record that nests. */
  public record Pair(Object left, Object right) {}
}
