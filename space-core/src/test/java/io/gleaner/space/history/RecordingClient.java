package io.gleaner.space.history;

import io.gleaner.space.TupleSpace;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.space.JavaSpace;

/**
 * Operations of one client, recorded with what they answered. A {@link RemoteException} means that
 * the outcome is not known; it is recorded so and the client goes on. Safe for all threads.
 */
public final class RecordingClient {
  private static final AtomicLong TRANSACTIONS = new AtomicLong();

  private final History history;
  private final String name;
  private final TupleSpace space;
  private final Kind kind;

  RecordingClient(History history, String name, TupleSpace space, Kind kind) {
    this.history = history;
    this.name = name;
    this.space = space;
    this.kind = kind;
  }

  /** Writes an entry of the key. */
  public void write(String key) throws InterruptedException {
    write(key, null, 0);
  }

  /** Takes an entry of the key; empty if there was none or nobody knows. */
  public Optional<Integer> take(String key, long timeoutMillis) throws InterruptedException {
    return take(key, false, null, 0, timeoutMillis).found();
  }

  /** As {@link #take} but without waiting for entries that nobody has written. */
  public Optional<Integer> takeIfExists(String key, long timeoutMillis)
      throws InterruptedException {
    return take(key, true, null, 0, timeoutMillis).found();
  }

  /** Reads an entry of the key; empty if there was none or nobody knows. */
  public Optional<Integer> read(String key, long timeoutMillis) throws InterruptedException {
    return read(key, null, 0, timeoutMillis).found();
  }

  /** Begins a transaction; empty if nobody answered. */
  public Optional<Work> begin() throws LeaseDeniedException {
    try {
      return Optional.of(
          new Work(
              this,
              space.begin(Duration.ofMinutes(5)).transaction,
              TRANSACTIONS.incrementAndGet()));
    } catch (RemoteException e) {
      history.lost(e);
      return Optional.empty(); // one that nobody uses locks nothing
    }
  }

  /**
   * Takes, once all is quiet, every entry that is left of any key of the history, and finds that
   * nothing is left: what was lost would show here.
   *
   * @return how many entries were left
   */
  public int drain() throws InterruptedException {
    int left = 0;
    for (String key : history.keys()) {
      while (take(key, JavaSpace.NO_WAIT).isPresent()) {
        left++;
      }
    }
    return left;
  }

  History history() {
    return history;
  }

  String name() {
    return name;
  }

  /** False if nobody knows whether it was written, or the transaction is over. */
  boolean write(String key, Transaction transaction, long number) throws InterruptedException {
    int entry = history.newEntry();
    history.uses(key);
    Act write = new Act.Write(key, entry, number);
    Outcome outcome =
        ask(
            () -> {
              space.write(kind.entry(key, entry), transaction, Lease.FOREVER);
              return null;
            },
            found -> write,
            Optional.of(write));
    return outcome.known();
  }

  Outcome take(String key, boolean ifExists, Transaction transaction, long number, long millis)
      throws InterruptedException {
    history.uses(key);
    Entry template = kind.entry(key, null);
    return ask(
        () ->
            ifExists
                ? space.takeIfExists(template, transaction, millis)
                : space.take(template, transaction, millis),
        found -> new Act.Take(key, number, found),
        Optional.of(new Act.LostTake(key, number)));
  }

  Outcome read(String key, Transaction transaction, long number, long millis)
      throws InterruptedException {
    history.uses(key);
    Entry template = kind.entry(key, null);
    return ask(
        () -> space.read(template, transaction, millis),
        found -> new Act.Read(key, number, found),
        transaction == null ? Optional.empty() : Optional.of(new Act.LostTake(key, number)));
  }

  private interface Asking {
    Entry ask()
        throws RemoteException, TransactionException, UnusableEntryException, InterruptedException;
  }

  private interface Telling {
    Act of(Optional<Integer> found);
  }

  /** Whether an answer came, and the entry that it had. */
  record Outcome(boolean known, Optional<Integer> found) {}

  private Outcome ask(Asking asking, Telling told, Optional<Act> lost) throws InterruptedException {
    long called = history.moment();
    try {
      Optional<Integer> found = Optional.ofNullable(asking.ask()).map(kind::numberOf);
      history.add(name, told.of(found), called, history.moment());
      return new Outcome(true, found);
    } catch (TransactionException e) {
      return new Outcome(false, Optional.empty()); // nothing happened, and the transaction is over
    } catch (RemoteException e) {
      history.lost(e);
      lost.ifPresent(act -> history.add(name, act, called, Operation.NEVER));
      return new Outcome(false, Optional.empty());
    } catch (UnusableEntryException e) {
      throw new AssertionError("an entry of the history cannot be read", e);
    }
  }
}
