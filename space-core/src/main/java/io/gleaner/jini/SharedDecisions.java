package io.gleaner.jini;

import io.gleaner.space.SpaceClient;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.TupleSpace;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one manager has decided and not told everybody, kept in the space. Safe for all threads. */
final class SharedDecisions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharedDecisions.class);
  private static final String SEPARATOR = "\n";

  private final TupleSpace space;
  private final String manager;

  SharedDecisions(SpaceEngine engine, String name, String manager) throws RemoteException {
    this.space = SpaceClient.open(engine, name, "shared transactions", known -> known.id);
    this.manager = manager;
  }

  private SharedDecision of(Long transaction) {
    return new SharedDecision(manager, transaction, null);
  }

  /** Writes it under the transaction, whose commit makes it true. */
  void write(TransactionManager proxy, long transaction, List<TransactionParticipant> participants)
      throws TransactionException, IOException {
    List<String> lines = new ArrayList<>();
    for (TransactionParticipant participant : participants) {
      lines.add(Marshalled.write(participant));
    }
    var unused =
        space.write(
            new SharedDecision(manager, transaction, String.join(SEPARATOR, lines)),
            new ServerTransaction(proxy, transaction),
            Lease.FOREVER);
  }

  /** Whether the transaction, which the space knows no more, was committed. */
  boolean isCommitted(long transaction) throws RemoteException {
    try {
      return space.readIfExists(of(transaction), null, JavaSpace.NO_WAIT) != null;
    } catch (UnusableEntryException | TransactionException | InterruptedException e) {
      throw new RemoteException("the decision cannot be read", e);
    }
  }

  /** Everybody has heard it. */
  void forget(long transaction) throws RemoteException {
    try {
      var unused = space.takeIfExists(of(transaction), null, JavaSpace.NO_WAIT);
    } catch (UnusableEntryException | TransactionException | InterruptedException e) {
      throw new RemoteException("the decision cannot be removed", e);
    }
  }

  /** What was committed and is not forgotten. */
  List<SharedDecision> committed() throws RemoteException {
    try {
      MatchSet found = space.contents(List.of(of(null)), null, Lease.FOREVER, Long.MAX_VALUE);
      List<SharedDecision> all = new ArrayList<>();
      for (Entry each = found.next(); each != null; each = found.next()) {
        all.add((SharedDecision) each);
      }
      return all;
    } catch (UnusableEntryException | TransactionException e) {
      throw new RemoteException("the decisions cannot be read", e);
    }
  }

  /** Who is to be told of it; who cannot be read is left to ask. */
  static Set<TransactionParticipant> participants(SharedDecision decision) {
    Set<TransactionParticipant> all = new LinkedHashSet<>();
    for (String line : decision.participants.split(SEPARATOR)) {
      read(decision.transaction, line).ifPresent(all::add);
    }
    return all;
  }

  private static Optional<TransactionParticipant> read(long transaction, String line) {
    try {
      return Optional.of((TransactionParticipant) Marshalled.read(line));
    } catch (IOException | RuntimeException e) {
      LOG.error("a participant of transaction {} cannot be read and is not told", transaction, e);
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    space.close();
  }
}
