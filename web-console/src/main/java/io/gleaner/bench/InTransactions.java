package io.gleaner.bench;

import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace;

/** Takes an entry and writes it back under a transaction of its own, and commits. */
record InTransactions() implements Pattern {
  static final long LEASE_MILLIS = 600_000;

  @Override
  public String name() {
    return "take, write, commit";
  }

  @Override
  public String unit() {
    return "transactions";
  }

  @Override
  public Step client(Peer.Client client, int number) throws Exception {
    TransactionManager manager = client.transactions().orElseThrow();
    Note template = Note.with("transacted-" + number);
    if (client.space().readIfExists(template, null, JavaSpace.NO_WAIT) == null) {
      client.space().write(Note.of(template.key, 0), null, Lease.FOREVER);
    }
    return () -> {
      Transaction transaction = TransactionFactory.create(manager, LEASE_MILLIS).transaction;
      Note note = (Note) client.space().take(template, transaction, JavaSpace.NO_WAIT);
      if (note == null) {
        throw new IllegalStateException("the entry of the last transaction is not there");
      }
      client.space().write(note, transaction, Lease.FOREVER);
      transaction.commit();
      return 1;
    };
  }
}
