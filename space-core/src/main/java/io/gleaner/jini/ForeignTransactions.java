package io.gleaner.jini;

import io.gleaner.space.Command;
import io.gleaner.space.ForeignManagers;
import io.gleaner.space.Lanes;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Refusals;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.jini.core.lease.LeaseException;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionConstants;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import net.jini.id.Uuid;
import net.jini.jeri.BasicJeriExporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space's part in transactions of other managers: one remote participant for all of them. A
 * transaction of the space stands for each; the foreign manager decides it. Safe for all threads.
 *
 * <p>What is open is asked after every few seconds: while the manager says that it is active its
 * stand-in's lease is renewed; what the manager has ended is ended here, even if its word was lost;
 * what is prepared waits for the manager as long as it takes. A manager that does not know a
 * transaction any more has aborted it. Source: Jini transaction specification, TX.2.
 */
public final class ForeignTransactions implements ForeignManagers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignTransactions.class);
  private static final long LEASE_MILLIS = 60_000;
  private static final int MOST_ASKED = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Lanes lanes;
  private final long crashCount;
  private final Map<ForeignName, Joined> open = new ConcurrentHashMap<>();
  private final Participant participant = new Participant(this);
  private final BasicJeriExporter exporter;
  private final TransactionParticipant proxy;
  private final ScheduledExecutorService watch;
  private final PeerCalls calls = new PeerCalls("foreign-managers", MOST_ASKED, PATIENCE);

  /** Managers that are being asked. */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /** One of them; its monitor is held while it joins. */
  private static final class Joined {
    final TransactionManager manager;
    volatile long transaction;
    volatile LeaseId lease;

    Joined(TransactionManager manager) {
      this.manager = manager;
    }
  }

  /**
   * What one participant is.
   *
   * @param address where it listens; with a fixed port and id it can be reached again after a
   *     restart
   * @param id names the participant
   * @param crashCount changes whenever transactions that were not prepared may have been lost
   * @param watchEvery how often open transactions are asked after
   */
  public record Settings(JeriAddress address, Uuid id, long crashCount, Duration watchEvery) {}

  private ForeignTransactions(SpaceEngine engine, Settings settings, int cells)
      throws RemoteException {
    this.lanes = new Lanes(engine, "foreign transactions", event -> {});
    this.crashCount = settings.crashCount();
    recover(cells);
    this.exporter = settings.address().exporter(settings.id());
    this.proxy = (TransactionParticipant) export(exporter, participant, lanes);
    this.watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "foreign-transactions");
              thread.setDaemon(true);
              return thread;
            });
    long millis = settings.watchEvery().toMillis();
    var unused = watch.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Exports, or gives back what was opened for it. */
  static Remote export(BasicJeriExporter exporter, Remote object, Lanes lanes)
      throws ExportException {
    try {
      return exporter.export(object);
    } catch (ExportException e) {
      lanes.close();
      throw e;
    }
  }

  /**
   * Starts to take part.
   *
   * @throws RemoteException if the space does not answer or the address cannot be listened on
   */
  public static ForeignTransactions start(SpaceEngine engine, Settings settings)
      throws RemoteException {
    MarshalledFilter.install();
    return new ForeignTransactions(engine, settings, 0);
  }

  /**
   * Takes part again after a restart of this process: knows what was open before any manager can
   * ask, and soon ends what is decided.
   *
   * @param cells cells of the space
   * @throws RemoteException as above, or if the space does not tell what was open; a gateway never
   *     does, a node's own engine does
   */
  public static ForeignTransactions resume(SpaceEngine engine, Settings settings, int cells)
      throws RemoteException {
    MarshalledFilter.install();
    return new ForeignTransactions(engine, settings, cells);
  }

  private void recover(int cells) throws RemoteException {
    try {
      askFor(cells);
    } catch (RemoteException | RuntimeException e) {
      lanes.close();
      throw e;
    }
  }

  private void askFor(int cells) throws RemoteException {
    for (int cell = 0; cell < cells; cell++) {
      Reply reply = lanes.ask(new Command.ListForeign(cell));
      if (reply instanceof Reply.Refused refused) {
        throw new RemoteException("what was open cannot be found: " + refused.message());
      }
      for (Reply.Foreign foreign : ((Reply.ForeignOnes) reply).transactions()) {
        recover(foreign);
      }
    }
  }

  private void recover(Reply.Foreign foreign) {
    ForeignName name = new ForeignName(foreign.manager(), foreign.id());
    try {
      Joined joined = new Joined((TransactionManager) Marshalled.read(foreign.proxy()));
      joined.lease = leaseOf(foreign.transaction());
      joined.transaction = foreign.transaction();
      open.putIfAbsent(name, joined);
    } catch (IOException | RuntimeException e) {
      LOG.error(
          "transaction {} stands for {}, whose manager's proxy cannot be read; it stays as it is",
          foreign.transaction(),
          name,
          e);
    }
  }

  private static LeaseId leaseOf(long transaction) {
    return new LeaseId(LeaseId.Kind.TRANSACTION, "", transaction);
  }

  @Override
  public long numberOf(ServerTransaction foreign) throws TransactionException, RemoteException {
    ForeignName name = ForeignName.of(foreign.mgr, foreign.id);
    Joined joined = open.computeIfAbsent(name, absent -> new Joined(foreign.mgr));
    synchronized (joined) {
      if (joined.transaction == 0) {
        try {
          join(name, joined);
        } catch (TransactionException | RemoteException | RuntimeException e) {
          // What was begun is empty, and its lease ends it.
          open.remove(name, joined);
          throw e;
        }
      }
      return joined.transaction;
    }
  }

  private void join(ForeignName name, Joined joined) throws TransactionException, RemoteException {
    Reply reply;
    try {
      reply =
          Refusals.ofLease(
              lanes.ask(
                  new Command.BeginForeign(
                      name.manager(), Marshalled.write(joined.manager), name.id(), LEASE_MILLIS)));
    } catch (LeaseException | IOException e) {
      throw new RemoteException("the space does not take part in " + name, e);
    }
    joined.manager.join(name.id(), proxy, crashCount);
    Reply.Began began = (Reply.Began) reply;
    joined.lease = began.lease().lease();
    joined.transaction = began.transaction();
  }

  /** The participant, as managers know it. */
  TransactionParticipant proxy() {
    return proxy;
  }

  /** Transactions that are not over, as far as this process knows. */
  int size() {
    return open.size();
  }

  /** A constant of {@link TransactionConstants}. */
  int stateOf(ForeignName name) throws UnknownTransactionException, RemoteException {
    Reply reply = ask(name, new Command.TransactionState(number(name)));
    return ((Reply.StateOf) reply).state();
  }

  int prepare(ForeignName name) throws UnknownTransactionException, RemoteException {
    Reply reply = ask(name, new Command.Prepare(number(name)));
    int state = reply instanceof Reply.StateOf voted ? voted.state() : TransactionConstants.ABORTED;
    if (state != TransactionConstants.PREPARED) {
      open.remove(name);
    }
    return state;
  }

  void commit(ForeignName name) throws UnknownTransactionException, RemoteException {
    Reply reply = ask(name, new Command.Commit(number(name)));
    if (reply instanceof Reply.Refused refused) {
      throw new RemoteException("the space did not commit " + name + ": " + refused.message());
    }
    open.remove(name);
  }

  void abort(ForeignName name) throws UnknownTransactionException, RemoteException {
    ask(name, new Command.Abort(number(name)));
    open.remove(name);
  }

  int prepareAndCommit(ForeignName name) throws UnknownTransactionException, RemoteException {
    Reply reply = ask(name, new Command.Commit(number(name)));
    open.remove(name);
    return reply instanceof Reply.Done
        ? TransactionConstants.COMMITTED
        : TransactionConstants.ABORTED;
  }

  private long number(ForeignName name) throws UnknownTransactionException {
    Joined joined = open.get(name);
    if (joined == null || joined.transaction == 0) {
      throw new UnknownTransactionException("the space has no part in " + name);
    }
    return joined.transaction;
  }

  /** The reply; one that says that the space does not know the transaction is an exception. */
  private Reply ask(ForeignName name, Command command)
      throws UnknownTransactionException, RemoteException {
    Reply reply = lanes.ask(command);
    if (reply instanceof Reply.Refused refused) {
      switch (refused.code()) {
        case UNKNOWN_TRANSACTION -> {
          open.remove(name);
          throw new UnknownTransactionException(refused.message());
        }
        case CANNOT_COMMIT, CANNOT_ABORT -> {
          return reply;
        }
        default -> throw new RemoteException(refused.message());
      }
    }
    return reply;
  }

  /** Each manager is asked by a thread of its own, and by one only. */
  private void look() {
    Map<String, Map<ForeignName, Joined>> byManager = new HashMap<>();
    open.forEach(
        (name, joined) -> {
          if (joined.transaction != 0) {
            byManager.computeIfAbsent(name.manager(), absent -> new HashMap<>()).put(name, joined);
          }
        });
    byManager.forEach(
        (manager, ofIt) -> {
          if (asked.add(manager)) {
            calls.run(() -> lookAt(manager, ofIt));
          }
        });
  }

  private void lookAt(String manager, Map<ForeignName, Joined> ofIt) {
    try {
      for (Map.Entry<ForeignName, Joined> each : ofIt.entrySet()) {
        lookAfter(each.getKey(), each.getValue());
      }
    } catch (PeerCalls.SilentException e) {
      LOG.info("manager {} is silent; its {} transactions wait", manager, ofIt.size(), e);
    } finally {
      asked.remove(manager);
    }
  }

  private void lookAfter(ForeignName name, Joined joined) throws PeerCalls.SilentException {
    try {
      look(name, joined);
    } catch (PeerCalls.SilentException e) {
      throw e;
    } catch (UnknownTransactionException e) {
      LOG.debug("{} is over", name);
    } catch (RemoteException | RuntimeException e) {
      LOG.info("{} is open and its manager or the space does not answer", name, e);
    }
  }

  private void look(ForeignName name, Joined joined)
      throws UnknownTransactionException, RemoteException {
    switch (stateAtManager(name, joined)) {
      case TransactionConstants.ACTIVE -> {
        var unused = lanes.ask(new Command.RenewLease(joined.lease, LEASE_MILLIS));
      }
      case TransactionConstants.COMMITTED -> {
        if (stateOf(name) == TransactionConstants.PREPARED) {
          commit(name);
        }
      }
      case TransactionConstants.ABORTED -> abort(name);
      default -> LOG.debug("{} is being decided", name);
    }
  }

  private int stateAtManager(ForeignName name, Joined joined) throws RemoteException {
    try {
      return calls.patiently(() -> joined.manager.getState(name.id()));
    } catch (UnknownTransactionException e) {
      return TransactionConstants.ABORTED;
    } catch (RemoteException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new RemoteException("the manager of " + name + " does not say its state", e);
    }
  }

  /** Takes part no longer; what is prepared stays so until somebody recovers it. */
  @Override
  public void close() {
    watch.shutdownNow();
    calls.close();
    exporter.unexport(true);
    lanes.close();
  }
}
