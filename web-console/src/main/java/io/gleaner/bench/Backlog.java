package io.gleaner.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import net.jini.core.lease.Lease;

/** Entries that wait in a space and are none of those that the patterns ask for. */
final class Backlog {
  private static final int BATCH = 500;
  private static final int KEYS = 1000;

  private Backlog() {}

  /** Writes the entries numbered {@code from} to {@code to - 1}, under a thousand keys. */
  static void grow(Peer peer, int from, int to) throws Exception {
    write(peer, from, to, i -> Note.of("waiting-" + i % KEYS, i));
  }

  /** Half of them under one key and number, half under another key and number. */
  static void crossed(Peer peer, int entries) throws Exception {
    write(
        peer,
        0,
        entries,
        i ->
            i % 2 == 0
                ? Note.of(NoMeeting.KEY, NoMeeting.NUMBER)
                : Note.of(NoMeeting.OTHER_KEY, NoMeeting.OTHER_NUMBER));
  }

  private static void write(Peer peer, int from, int to, IntFunction<Note> entry) throws Exception {
    Peer.Client client = peer.client(0);
    for (int at = from; at < to; at += BATCH) {
      List<Note> notes = new ArrayList<>(BATCH);
      for (int i = at; i < Math.min(to, at + BATCH); i++) {
        notes.add(entry.apply(i));
      }
      client.space().write(notes, null, Collections.nCopies(notes.size(), Lease.FOREVER));
    }
  }
}
