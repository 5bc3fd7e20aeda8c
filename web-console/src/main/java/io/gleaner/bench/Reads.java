package io.gleaner.bench;

import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;

/** Reads an entry of the client's own key. */
record Reads() implements Pattern {
  @Override
  public String name() {
    return "reads";
  }

  @Override
  public String unit() {
    return "reads";
  }

  @Override
  public Step client(Peer.Client client, int number) throws Exception {
    Note template = Note.with("read-" + number);
    if (client.space().readIfExists(template, null, JavaSpace.NO_WAIT) == null) {
      client.space().write(Note.of(template.key, 0), null, Lease.FOREVER);
    }
    return () -> {
      if (client.space().read(template, null, JavaSpace.NO_WAIT) == null) {
        throw new IllegalStateException("an entry that nobody takes is not there");
      }
      return 1;
    };
  }
}
