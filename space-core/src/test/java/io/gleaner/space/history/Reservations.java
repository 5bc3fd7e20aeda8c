package io.gleaner.space.history;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.space.Reply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jini.core.entry.UnusableEntryException;

/**
 * What a space keeps for clients that have to give a receipt, as whoever asks the engine for them
 * sees it: entries that went back were hidden for a while. Safe for all threads.
 */
public final class Reservations {
  private final History history;
  private final Kind kind;
  private final Map<Asked, Long> called = new ConcurrentHashMap<>();
  private final Map<Asked, Hidden> hidden = new ConcurrentHashMap<>();
  private final AtomicInteger givenBack = new AtomicInteger();

  private record Asked(long session, long sequence) {}

  private record Hidden(String key, int entry, long from, long to) {}

  /** Of a history whose entries are of that kind. */
  public Reservations(History history, Kind kind) {
    this.history = history;
    this.kind = kind;
  }

  /** Entries that went back because no receipt came in time. */
  public int givenBack() {
    return givenBack.get();
  }

  /** The engine is asked for an operation; the answer is told when it comes. */
  public Consumer<Reply> asked(long session, long sequence) {
    Asked operation = new Asked(session, sequence);
    long first = called.computeIfAbsent(operation, any -> history.moment());
    return reply -> answered(operation, first, reply);
  }

  private void answered(Asked operation, long first, Reply reply) {
    if (reply instanceof Reply.Reserved reserved) {
      EncodedEntry entry = reserved.entries().get(0);
      hidden.computeIfAbsent(operation, any -> hidden(entry, first));
    } else if (reply instanceof Reply.Refused refused
        && refused.code() == Reply.Refusal.GIVEN_BACK) {
      Hidden its = hidden.remove(operation);
      if (its != null) {
        givenBack.incrementAndGet();
        String client = "operation " + operation.sequence() + " of " + operation.session();
        history.add(client, new Act.Hide(its.key(), its.entry()), its.from(), its.to());
        history.add(client, new Act.Show(its.key(), its.entry()), its.from(), history.moment());
      }
    } else {
      hidden.remove(operation);
    }
  }

  private Hidden hidden(EncodedEntry encoded, long from) {
    try {
      var entry = EntryCodec.decode(encoded, Reservations.class.getClassLoader());
      return new Hidden(kind.keyOf(entry), kind.numberOf(entry), from, history.moment());
    } catch (UnusableEntryException e) {
      throw new AssertionError("an entry of the history cannot be read", e);
    }
  }
}
