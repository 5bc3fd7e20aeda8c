package io.gleaner.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionFactory;
import net.jini.space.JavaSpace;

/** Entries that come first in their queue and are taken under a transaction that stays open. */
final class LockedHeads {
  private static final String KEY = "locked";
  private static final int BATCH = 500;
  private static final long LEASE_MILLIS = 3_600_000;

  private LockedHeads() {}

  /** Writes so many entries and takes all of them under a transaction. */
  static void lock(Peer peer, int heads) throws Exception {
    Peer.Client client = peer.client(0);
    Transaction transaction =
        TransactionFactory.create(client.transactions().orElseThrow(), LEASE_MILLIS).transaction;
    List<Note> templates = List.of(Note.with(KEY));
    for (int at = 0; at < heads; at += BATCH) {
      int many = Math.min(BATCH, heads - at);
      List<Note> notes = new ArrayList<>(many);
      for (int i = 0; i < many; i++) {
        notes.add(Note.of(KEY, at + i));
      }
      client.space().write(notes, null, Collections.nCopies(many, Lease.FOREVER));
      for (int taken = 0; taken < many; ) {
        int more =
            client.space().take(templates, transaction, JavaSpace.NO_WAIT, many - taken).size();
        if (more == 0) {
          throw new IllegalStateException(taken + " of " + many + " entries could be taken");
        }
        taken += more;
      }
    }
  }

  /** Writes behind the locked entries and takes what is free. */
  static Pattern pairs(int heads) {
    return new Pairs("pairs, %,d locked heads".formatted(heads), client -> KEY);
  }
}
