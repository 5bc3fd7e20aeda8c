package io.gleaner.jini;

import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import net.jini.id.UuidFactory;
import net.jini.jeri.BasicJeriExporter;

/** A participant with a vote of its own, which may be hard of hearing. */
final class Voter implements TransactionParticipant, AutoCloseable {
  final AtomicInteger deafFor = new AtomicInteger();
  final List<String> heard = new CopyOnWriteArrayList<>();
  final CountDownLatch thawed = new CountDownLatch(1);
  volatile boolean frozen;
  private final IntSupplier vote;
  private final BasicJeriExporter exporter =
      JeriAddress.loopback().exporter(UuidFactory.generate());

  private Voter(IntSupplier vote) {
    this.vote = vote;
  }

  static Voter joins(Transaction transaction, IntSupplier vote) throws Exception {
    Voter voter = new Voter(vote);
    TransactionParticipant proxy = (TransactionParticipant) voter.exporter.export(voter);
    ((ServerTransaction) transaction).join(proxy, 1);
    return voter;
  }

  @Override
  public int prepare(TransactionManager manager, long id) {
    return vote.getAsInt();
  }

  @Override
  public void commit(TransactionManager manager, long id) throws RemoteException {
    hear("commit");
  }

  @Override
  public void abort(TransactionManager manager, long id) throws RemoteException {
    hear("abort");
  }

  private void hear(String what) throws RemoteException {
    if (frozen) {
      try {
        thawed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (deafFor.getAndDecrement() > 0) {
      throw new RemoteException("not now");
    }
    heard.add(what);
  }

  @Override
  public int prepareAndCommit(TransactionManager manager, long id) {
    return vote.getAsInt();
  }

  @Override
  public void close() {
    thawed.countDown();
    exporter.unexport(true);
  }
}
