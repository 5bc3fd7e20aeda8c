package io.gleaner.space.conformance;

import static io.gleaner.space.conformance.SpaceUnderTest.await;

import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import net.jini.core.event.RemoteEventListener;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.TransactionFactory;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.export.Exporter;
import net.jini.jeri.BasicILFactory;
import net.jini.jeri.BasicJeriExporter;
import net.jini.jeri.tcp.TcpServerEndpoint;
import net.jini.space.JavaSpace05;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** An empty space and a transaction manager that it works with. For one test. */
final class SpaceUnderTest {
  final JavaSpace05 space;
  final TransactionManager transactions;
  private final Place place;
  private final Runnable end;
  private final List<Transaction> begun = new ArrayList<>();
  private final List<Exporter> exported = new ArrayList<>();

  /** JERI holds what it exports weakly. */
  private final List<RemoteEventListener> listeners = new ArrayList<>();

  SpaceUnderTest(Place place, JavaSpace05 space, TransactionManager transactions, Runnable end) {
    this.place = place;
    this.space = space;
    this.transactions = transactions;
    this.end = end;
  }

  Place place() {
    return place;
  }

  /** A transaction of a minute; the test may end it or not. */
  Transaction begin() throws LeaseDeniedException, RemoteException {
    return begin(60_000).transaction;
  }

  Transaction.Created begin(long leaseMillis) throws LeaseDeniedException, RemoteException {
    Transaction.Created created = TransactionFactory.create(transactions, leaseMillis);
    begun.add(created.transaction);
    return created;
  }

  /** The listener exported, as programs do, but where all is in one process. */
  RemoteEventListener listener(RemoteEventListener listener) throws ExportException {
    if (place == Place.EMBEDDED) {
      return listener;
    }
    Exporter exporter =
        new BasicJeriExporter(TcpServerEndpoint.getInstance("127.0.0.1", 0), new BasicILFactory());
    exported.add(exporter);
    listeners.add(listener);
    return (RemoteEventListener) exporter.export(listener);
  }

  /** Looks every few milliseconds, for a minute: machines may be busy. */
  static ConditionFactory await() {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5));
  }

  /** Starts what waits and returns when its thread does. */
  static <T> CompletableFuture<T> waiting(Callable<T> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread = thread(operation, result);
    await()
        .until(
            () ->
                thread.getState() == Thread.State.WAITING
                    || thread.getState() == Thread.State.TIMED_WAITING
                    || result.isDone());
    return result;
  }

  /** Runs it on a thread of its own. */
  static <T> Thread thread(Callable<T> operation, CompletableFuture<T> result) {
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(operation.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  void close() {
    begun.forEach(SpaceUnderTest::abortIfOpen);
    end.run();
    exported.forEach(each -> each.unexport(true));
  }

  private static void abortIfOpen(Transaction transaction) {
    try {
      transaction.abort(10_000);
    } catch (TransactionException | RemoteException e) {
      // The test ended it.
    }
  }
}
