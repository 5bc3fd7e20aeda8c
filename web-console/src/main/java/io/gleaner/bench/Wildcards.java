package io.gleaner.bench;

import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;

/** Writes an entry and takes any entry of its class; each client first leaves one more there. */
record Wildcards() implements Pattern {
  @Override
  public String name() {
    return "pairs, any entry of a class";
  }

  @Override
  public String unit() {
    return "pairs";
  }

  @Override
  public Step client(Peer.Client client, int number) throws Exception {
    LoneNote template = new LoneNote();
    LoneNote note = LoneNote.of("client-" + number);
    client.space().write(note, null, Lease.FOREVER);
    return () -> {
      client.space().write(note, null, Lease.FOREVER);
      if (client.space().take(template, null, JavaSpace.NO_WAIT) == null) {
        throw new IllegalStateException("more was written than taken, and nothing is there");
      }
      return 1;
    };
  }
}
