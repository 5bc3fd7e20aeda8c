package io.gleaner.bench;

import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/** The entry that is measured with: about a hundred bytes, spread by its key. */
public class Note implements Entry {
  private static final long serialVersionUID = 1L;
  static final int CONTENT_BYTES = 100;

  @Shard public String key;
  public Long number;
  public byte[] content;

  public Note() {}

  private Note(String key, Long number, byte[] content) {
    this.key = key;
    this.number = number;
    this.content = content;
  }

  static Note of(String key, long number) {
    return new Note(key, number, new byte[CONTENT_BYTES]);
  }

  /** The template that binds the key only. */
  static Note with(String key) {
    return new Note(key, null, null);
  }

  /** The template that binds key and number. */
  static Note with(String key, long number) {
    return new Note(key, number, null);
  }
}
