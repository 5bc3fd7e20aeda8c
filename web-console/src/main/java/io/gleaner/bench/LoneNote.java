package io.gleaner.bench;

/** A note of a class of its own, for templates that bind nothing. */
public class LoneNote extends Note {
  private static final long serialVersionUID = 1L;

  public LoneNote() {}

  static LoneNote of(String key) {
    LoneNote note = new LoneNote();
    note.key = key;
    note.number = 0L;
    note.content = new byte[CONTENT_BYTES];
    return note;
  }
}
