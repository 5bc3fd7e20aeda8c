package io.gleaner.bench;

import java.util.function.IntFunction;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;

/** Writes an entry and takes one. */
record Pairs(String name, IntFunction<String> keyOf) implements Pattern {

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
      if (client.space().take(template, null, JavaSpace.NO_WAIT) == null) {
        throw new IllegalStateException("an entry just written under " + key + " is not there");
      }
      return 1;
    };
  }
}
