package io.gleaner.bench;

import net.jini.space.JavaSpace;

/**
 * Looks for an entry by two fields, each of which many entries have, but none both: {@link
 * Backlog#crossed} wrote them.
 */
record NoMeeting() implements Pattern {
  static final String KEY = "left";
  static final String OTHER_KEY = "right";
  static final long NUMBER = 1;
  static final long OTHER_NUMBER = 2;

  @Override
  public String name() {
    return "two fields that do not meet";
  }

  @Override
  public String unit() {
    return "reads";
  }

  @Override
  public Step client(Peer.Client client, int number) {
    Note template = Note.with(KEY, OTHER_NUMBER);
    return () -> {
      if (client.space().readIfExists(template, null, JavaSpace.NO_WAIT) != null) {
        throw new IllegalStateException("there is an entry that nobody wrote");
      }
      return 1;
    };
  }
}
