package io.gleaner.space.history;

import java.rmi.RemoteException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;

/** A recorded transaction; end it with {@link #commit} or {@link #abort}. For one thread. */
public final class Work {
  private final RecordingClient client;
  private final Transaction transaction;
  private final long number;
  private final Set<String> keys = new TreeSet<>();
  private final long begun;
  private boolean broken;

  Work(RecordingClient client, Transaction transaction, long number) {
    this.client = client;
    this.transaction = transaction;
    this.number = number;
    this.begun = client.history().moment();
  }

  /** Writes an entry of the key. */
  public void write(String key) throws InterruptedException {
    keys.add(key);
    broken |= !client.write(key, transaction, number);
  }

  /** Takes an entry of the key. */
  public Optional<Integer> take(String key, long timeoutMillis) throws InterruptedException {
    keys.add(key);
    return heard(client.take(key, false, transaction, number, timeoutMillis));
  }

  /** Reads an entry of the key. */
  public Optional<Integer> read(String key, long timeoutMillis) throws InterruptedException {
    keys.add(key);
    return heard(client.read(key, transaction, number, timeoutMillis));
  }

  private Optional<Integer> heard(RecordingClient.Outcome outcome) {
    broken |= !outcome.known();
    return outcome.found();
  }

  /**
   * True if it is committed; false if it is not or nobody knows. With an operation in it of which
   * nobody knows the outcome it is aborted.
   */
  public boolean commit() {
    if (broken) {
      abort();
      return false;
    }
    History history = client.history();
    long called = history.moment();
    try {
      transaction.commit();
      long returned = history.moment();
      history.add(client.name(), new Act.Commit(number), called, returned);
      for (String key : keys) {
        history.add(client.name(), new Act.Release(number, key, true), called, returned);
      }
      return true;
    } catch (TransactionException e) {
      released(begun, history.moment());
      return false;
    } catch (RemoteException e) {
      history.lost(e);
      history.add(client.name(), new Act.LostCommit(number), called, Operation.NEVER);
      for (String key : keys) {
        history.add(client.name(), new Act.Release(number, key, true), called, Operation.NEVER);
      }
      return false;
    }
  }

  /** Ends it without effect. */
  public void abort() {
    History history = client.history();
    long called = history.moment();
    try {
      transaction.abort();
      released(called, history.moment());
    } catch (TransactionException e) {
      released(begun, history.moment());
    } catch (RemoteException e) {
      history.lost(e);
      released(called, Operation.NEVER);
    }
  }

  private void released(long from, long to) {
    for (String key : keys) {
      client.history().add(client.name(), new Act.Release(number, key, false), from, to);
    }
  }
}
