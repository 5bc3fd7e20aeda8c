package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.space.JavaSpace;

/** So many entries that every member of a small cluster has some of them. */
final class SpreadNotes {
  static final int MANY = 120;

  private SpreadNotes() {}

  static Entry spread(int number) {
    return new SpreadNote("shard" + number, number);
  }

  static void writeMany(TupleSpace space) throws Exception {
    for (int n = 0; n < MANY; n++) {
      space.write(spread(n), null, Lease.FOREVER);
    }
  }

  /** Takes each of them, and nothing else is there. */
  static void takeMany(TupleSpace space, long timeoutMillis) throws Exception {
    for (int n = 0; n < MANY; n++) {
      assertThat(space.take(spread(n), null, timeoutMillis)).as("entry %d", n).isNotNull();
    }
    assertThat(space.take(null, null, JavaSpace.NO_WAIT)).isNull();
  }
}
