package io.gleaner.space;

/** A subtype of the tests' entry. */
public class UrgentNote extends Note {
  private static final long serialVersionUID = 1L;

  public String by;

  public UrgentNote() {}

  public UrgentNote(String topic, Integer number, String by) {
    super(topic, number);
    this.by = by;
  }
}
