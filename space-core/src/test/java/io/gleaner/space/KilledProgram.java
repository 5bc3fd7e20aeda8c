package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.storage.JournalSettings;
import io.gleaner.storage.StorageSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Clients of a durable space, each of whom goes through the same steps with a session of its own
 * and says after each that it was acknowledged, until the process is killed.
 */
final class KilledProgram {
  static final int CLIENTS = 6;
  static final int CELLS = 11;
  static final SpaceSettings SETTINGS =
      new SpaceSettings(MemberSettings.alone(), CELLS, 2, io.gleaner.space.core.Limits.DEFAULT);

  private KilledProgram() {}

  static HazelcastSpace start(Path folder) {
    // A short journal: images are taken while the clients go on.
    return HazelcastSpace.startDurable(
        SETTINGS, StorageSettings.in(folder), new JournalSettings(CELLS, 1 << 16, 100_000, 100));
  }

  /** Argument: the folder. */
  public static void main(String[] arguments) {
    run(start(Path.of(arguments[0])), 0);
  }

  /** Starts clients that never end, with numbers from the first one on. */
  static void run(HazelcastSpace space, int first) {
    for (int i = first; i < first + CLIENTS; i++) {
      Client client = new Client(i, space.open("client " + i, event -> {}).join());
      System.out.println("session " + i + " " + client.session());
      new Thread(
              () -> {
                for (int step = 1; ; step++) {
                  Reply reply = client.does(space, step);
                  if (!client.isRight(step, reply)) {
                    System.out.println("wrong " + i(client) + " " + step + " " + reply);
                  }
                  System.out.println("acknowledged " + i(client) + " " + step);
                }
              })
          .start();
    }
  }

  private static int i(Client client) {
    return client.index();
  }

  /**
   * Writes three entries of its own for every two that it takes; of the two, one is asked of
   * several cells.
   */
  record Client(int index, long session) {

    /** Carries out the step, or asks again for the answer to it. */
    Reply does(SpaceEngine space, int step) {
      return space.execute(session, step, Math.max(1, step - 1), command(step)).join();
    }

    private static boolean writes(int step) {
      return step % 5 == 1 || step % 5 == 2 || step % 5 == 4;
    }

    /** Writes, or takes, up to and with the step. */
    static int count(int step, boolean written) {
      int count = 0;
      for (int i = 1; i <= step; i++) {
        if (writes(i) == written) {
          count++;
        }
      }
      return count;
    }

    private Command command(int step) {
      if (writes(step)) {
        EncodedEntry entry = EntryCodec.encode(new Note("of " + index, count(step, true)));
        return new Command.Write("test", List.of(entry), List.of(Long.MAX_VALUE), 0);
      }
      // Several templates make the session's cell ask the bucket's.
      EncodedEntry own = EntryCodec.encode(new Note("of " + index, null));
      EncodedEntry other = EntryCodec.encode(new Note("of nobody", null));
      return new Command.Match(
          "test",
          Command.Mode.TAKE_IF_EXISTS,
          step % 5 == 0 ? List.of(own) : List.of(other, own),
          0,
          0,
          1);
    }

    boolean isRight(int step, Reply reply) {
      if (writes(step)) {
        return reply instanceof Reply.Written;
      }
      return reply instanceof Reply.Matched matched
          && matched.entries().size() == 1
          && Optional.of(matched.entries().get(0))
              .filter(
                  entry ->
                      entry.equals(EntryCodec.encode(new Note("of " + index, count(step, false)))))
              .isPresent();
    }
  }
}
