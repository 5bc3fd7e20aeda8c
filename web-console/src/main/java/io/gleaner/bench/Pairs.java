package io.gleaner.bench;

import java.util.function.IntFunction;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;

/** Writes an entry and takes one. */
record Pairs(String name, IntFunction<String> keyOf) implements Pattern {
  private static final int MOST_TRIES = 1000;

  /** Each client has a key of its own. */
  static Pairs ownKey(String name) {
    return new Pairs(name, client -> "client-" + client);
  }

  /** All clients write and take under one key. */
  static Pairs sharedKey() {
    return new Pairs("pairs, one key for all", client -> "shared");
  }

  @Override
  public String unit() {
    return "pairs";
  }

  @Override
  public Step client(Peer.Client client, int number) {
    String key = keyOf.apply(number);
    Note template = Note.with(key);
    long[] written = {0};
    return () -> {
      client.space().write(Note.of(key, written[0]++), null, Lease.FOREVER);
      for (int tries = 1; client.space().take(template, null, JavaSpace.NO_WAIT) == null; tries++) {
        // Outrigger's search may miss what others write while it takes away what it would find.
        if (tries == MOST_TRIES) {
          throw new IllegalStateException("an entry just written under " + key + " is not there");
        }
      }
      return 1;
    };
  }
}
