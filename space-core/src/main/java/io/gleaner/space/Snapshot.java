package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import net.jini.core.entry.Entry;

/** An entry or template that was encoded once, to be used many times. */
final class Snapshot implements Entry {
  private static final long serialVersionUID = 1L;
  private final transient EncodedEntry encoded;
  private final transient ClassLoader classes;

  Snapshot(EncodedEntry encoded, ClassLoader classes) {
    this.encoded = encoded;
    this.classes = classes;
  }

  /** Never: a snapshot is for the proxy that made it (JS.2.6). */
  private void writeObject(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException(
        Snapshot.class.getName() + ", a snapshot, which works with the space that made it only");
  }

  EncodedEntry encoded() {
    return encoded;
  }

  /** Whether it is the template that matches everything, which is no entry. */
  boolean isAnything() {
    return encoded.type().equals(EncodedEntry.ANYTHING);
  }

  ClassLoader classes() {
    return classes;
  }
}
