package io.gleaner.jini;

import com.sun.jini.landlord.Landlord;
import io.gleaner.space.ForeignManagers;
import io.gleaner.space.Lanes;
import io.gleaner.space.SpaceEngine;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.id.Uuid;
import net.jini.jeri.BasicJeriExporter;

/**
 * The space's own transaction manager for everybody: its transactions may be handed to other
 * services, which join them. Safe for all threads.
 *
 * <p>The space decides: it is prepared first, then the others, and its commit is the decision. Who
 * was prepared is told until it has heard. Who takes part is known to this process only: after a
 * restart a participant that asks hears that the transaction is not known.
 */
public final class SharedTransactions implements ForeignManagers, AutoCloseable {
  private static final Duration TELL_EVERY = Duration.ofSeconds(1);

  private final Lanes lanes;
  private final BasicJeriExporter exporter;
  private final SharedManager shared;
  private final TransactionManager proxy;
  private final ForeignName own;
  private final ScheduledExecutorService telling;

  private SharedTransactions(SpaceEngine engine, JeriAddress address, Uuid id, InstantSource clock)
      throws RemoteException {
    this.lanes = new Lanes(engine, "shared transactions", event -> {});
    this.exporter = address.exporter(id);
    this.shared = new SharedManager(lanes, id, clock);
    this.proxy = (TransactionManager) ForeignTransactions.export(exporter, shared, lanes);
    shared.knownAs(proxy, (Landlord) proxy);
    this.own = new ForeignName(id.toString(), 0);
    this.telling =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "shared-transactions");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        telling.scheduleWithFixedDelay(
            shared::tellAll, TELL_EVERY.toMillis(), TELL_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Exports the manager.
   *
   * @param id names it among all managers
   * @throws RemoteException if the space does not answer or the address cannot be listened on
   */
  public static SharedTransactions start(
      SpaceEngine engine, JeriAddress address, Uuid id, InstantSource clock)
      throws RemoteException {
    MarshalledFilter.install();
    return new SharedTransactions(engine, address, id, clock);
  }

  /** The manager's proxy, for {@code TransactionFactory.create} anywhere. */
  public TransactionManager manager() {
    return proxy;
  }

  /** The number of a transaction of this manager, which is the space's own. */
  @Override
  public long numberOf(ServerTransaction transaction) throws TransactionException, RemoteException {
    return isOwn(transaction) ? transaction.id : NONE.numberOf(transaction);
  }

  /** This manager's transactions and, for those of others, {@code others}. */
  public ForeignManagers and(ForeignManagers others) {
    return transaction -> isOwn(transaction) ? transaction.id : others.numberOf(transaction);
  }

  private boolean isOwn(ServerTransaction transaction) throws TransactionException {
    return ForeignName.of(transaction.mgr, 0).equals(own);
  }

  /** Transactions with participants that are not over. */
  int size() {
    return shared.size();
  }

  /** Ends; transactions that are not decided are aborted. */
  @Override
  public void close() {
    telling.shutdownNow();
    exporter.unexport(true);
    lanes.close();
  }
}
