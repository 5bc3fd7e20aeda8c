package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the clients of {@link KilledProgram} have said until they were killed. */
final class KilledClients {
  private final Map<Integer, KilledProgram.Client> clients = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> acknowledged = new ConcurrentHashMap<>();

  private volatile AssertionError wrong;

  /** Somebody was told what is not so. */
  void failed(AssertionError what) {
    wrong = what;
  }

  /** Takes a line of the program's output; false if it is about something else. */
  boolean hear(String line) {
    String[] words = line.split(" ", -1);
    if (words[0].equals("acknowledged") && words.length == 3 && !words[2].isEmpty()) {
      acknowledged.merge(Integer.valueOf(words[1]), Integer.valueOf(words[2]), Math::max);
      return true;
    } else if (words[0].equals("session")) {
      clients.put(
          Integer.valueOf(words[1]),
          new KilledProgram.Client(Integer.parseInt(words[1]), Long.parseLong(words[2])));
      return true;
    }
    assertThat(words[0]).as(line).isNotEqualTo("wrong");
    return false;
  }

  /** Steps that were acknowledged. */
  int steps() {
    return acknowledged.values().stream().mapToInt(Integer::intValue).sum();
  }

  Map<Integer, Integer> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  /** Each step of each client has had its effect once. */
  void areRightIn(SpaceEngine engine) {
    assertThat(wrong).isNull();
    for (KilledProgram.Client client : clients.values()) {
      int last = acknowledged.getOrDefault(client.index(), 0);
      // The last that was acknowledged, and the one that may have been under way.
      for (int step = Math.max(1, last); step <= last + 1; step++) {
        Reply reply = client.does(engine, step);
        assertThat(client.isRight(step, reply))
            .as("client %s, step %s: %s", client.index(), step, reply)
            .isTrue();
      }
      int taken = KilledProgram.Client.count(last + 1, false);
      int written = KilledProgram.Client.count(last + 1, true);
      for (int number = taken + 1; number <= written; number++) {
        assertThat(takes(engine, client, last + 1 + number - taken))
            .isEqualTo(new Reply.Matched(List.of(note(client, number))));
      }
      assertThat(takes(engine, client, last + 2 + written - taken))
          .isEqualTo(new Reply.Matched(List.of()));
    }
  }

  private static EncodedEntry note(KilledProgram.Client client, Integer number) {
    return EntryCodec.encode(new Note("of " + client.index(), number));
  }

  private static Reply takes(SpaceEngine engine, KilledProgram.Client client, int step) {
    Command take =
        new Command.Match("test", Command.Mode.TAKE, List.of(note(client, null)), 0, 0, 1);
    return engine.execute(client.session(), step, step, take).join();
  }
}
