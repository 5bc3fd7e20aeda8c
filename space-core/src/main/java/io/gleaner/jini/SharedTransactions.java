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
 * <p>The space decides: it is prepared first, then the others, and its commit is the decision,
 * which stays unknown, and nobody hears of it, until the space has answered. Who was prepared is
 * told until it has heard. The decision to commit is written to the space with the commit itself,
 * so that who starts again with the same id knows it; what is not there was aborted.
 */
public final class SharedTransactions implements ForeignManagers, AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private static final String DECISIONS = "shared transactions";
  private static final int MOST_ASKING = 16;
  private static final int MOST_TELLING = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final PeerCalls asking = new PeerCalls("shared-asking", MOST_ASKING, PATIENCE);
  private final PeerCalls telling = new PeerCalls("shared-telling", MOST_TELLING, PATIENCE);
  private final Lanes lanes;
  private final SharedDecisions decisions;
  private final BasicJeriExporter exporter;
  private final SharedManager shared;
  private final TransactionManager proxy;
  private final ForeignName own;
  private final ScheduledExecutorService watch;

  private SharedTransactions(
      SpaceEngine engine, String decisions, JeriAddress address, Uuid id, InstantSource clock)
      throws RemoteException {
    this.lanes = new Lanes(engine, "shared transactions", event -> {});
    this.decisions = opened(engine, decisions, id);
    try {
      this.shared = new SharedManager(lanes, this.decisions, asking, telling, id, clock);
      this.exporter = address.exporter(id);
      this.proxy = (TransactionManager) exporter.export(shared);
    } catch (RemoteException | RuntimeException e) {
      letGo();
      throw e;
    }
    shared.knownAs(proxy, (Landlord) proxy);
    shared.tellAgain();
    this.own = new ForeignName(id.toString(), 0);
    this.watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "shared-transactions");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        watch.scheduleWithFixedDelay(
            shared::endWhatIsGone,
            LOOK_EVERY.toMillis(),
            LOOK_EVERY.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private SharedDecisions opened(SpaceEngine engine, String name, Uuid id) throws RemoteException {
    try {
      return new SharedDecisions(engine, name, id.toString());
    } catch (RemoteException | RuntimeException e) {
      lanes.close();
      throw e;
    }
  }

  /** As the other {@code start}, with decisions in the space {@value #DECISIONS}. */
  public static SharedTransactions start(
      SpaceEngine engine, JeriAddress address, Uuid id, InstantSource clock)
      throws RemoteException {
    return start(engine, DECISIONS, address, id, clock);
  }

  /**
   * Exports the manager, which tells first what it had decided before.
   *
   * @param decisions the named space that keeps them; through a gateway one that its user may write
   * @param id names it among all managers; the same again after a restart
   * @throws RemoteException if the space does not answer or the address cannot be listened on
   */
  public static SharedTransactions start(
      SpaceEngine engine, String decisions, JeriAddress address, Uuid id, InstantSource clock)
      throws RemoteException {
    MarshalledFilter.install();
    return new SharedTransactions(engine, decisions, address, id, clock);
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
    watch.shutdownNow();
    exporter.unexport(true);
    letGo();
  }

  private void letGo() {
    asking.close();
    telling.close();
    lanes.close();
    decisions.close();
  }
}
