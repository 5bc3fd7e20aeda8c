package io.gleaner.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;

/** Writes many entries in one operation and takes as many in one or more. */
record Batches(int entries) implements Pattern {
  @Override
  public String name() {
    return "pairs, in batches of " + entries;
  }

  @Override
  public String unit() {
    return "pairs";
  }

  @Override
  public Step client(Peer.Client client, int number) {
    String key = "batch-" + number;
    List<Note> notes = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      notes.add(Note.of(key, i));
    }
    List<Long> leases = Collections.nCopies(entries, Lease.FOREVER);
    List<Note> templates = List.of(Note.with(key));
    return () -> {
      client.space().write(notes, null, leases);
      int taken = 0;
      while (taken < entries) {
        int more = client.space().take(templates, null, JavaSpace.NO_WAIT, entries - taken).size();
        if (more == 0) {
          throw new IllegalStateException(taken + " of " + entries + " entries written are there");
        }
        taken += more;
      }
      return entries;
    };
  }
}
