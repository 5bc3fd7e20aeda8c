package io.gleaner.maker;

import io.gleaner.space.TupleSpace;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space as the market-maker uses it: typed, never waiting, with one exception for everything
 * that can go wrong. Safe for all threads.
 */
final class Tuples {
  private static final Logger LOG = LoggerFactory.getLogger(Tuples.class);
  private static final long LISTING_LEASE_MILLIS = 30_000;

  private final TupleSpace space;

  Tuples(TupleSpace space) {
    this.space = space;
  }

  /** An operation of the space. */
  private interface Operation<T> {
    T run()
        throws TransactionException,
            UnusableEntryException,
            InterruptedException,
            LeaseDeniedException,
            RemoteException;
  }

  private static <T> T call(String what, Operation<T> operation) {
    try {
      return operation.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MakerException(
          MakerException.Code.INTERRUPTED, "interrupted in the middle of: " + what, e);
    } catch (TransactionException
        | UnusableEntryException
        | LeaseDeniedException
        | RemoteException e) {
      throw new MakerException(
          MakerException.Code.SPACE, "the space failed to " + what + ": " + e.getMessage(), e);
    }
  }

  /** Every entry that matches, whatever its order. */
  <E extends Entry> List<E> all(Class<E> type, E template) {
    return call(
        "list " + type.getSimpleName(),
        () -> {
          MatchSet matches =
              space.contents(List.of(template), null, LISTING_LEASE_MILLIS, Long.MAX_VALUE);
          List<E> found = new ArrayList<>();
          for (Entry entry = matches.next(); entry != null; entry = matches.next()) {
            found.add(type.cast(entry));
          }
          cancel(matches.getLease());
          return found;
        });
  }

  private static void cancel(Lease lease) throws RemoteException {
    if (lease != null) {
      try {
        lease.cancel();
      } catch (UnknownLeaseException e) {
        LOG.trace("the listing had ended by itself", e);
      }
    }
  }

  /** Reads under a shared lock; empty also if somebody holds it exclusively. */
  <E extends Entry> Optional<E> read(Class<E> type, E template, Transaction transaction) {
    return call(
        "read " + type.getSimpleName(),
        () ->
            Optional.ofNullable(
                type.cast(space.readIfExists(template, transaction, JavaSpace.NO_WAIT))));
  }

  <E extends Entry> Optional<E> take(Class<E> type, E template, Transaction transaction) {
    return call(
        "take " + type.getSimpleName(),
        () ->
            Optional.ofNullable(
                type.cast(space.takeIfExists(template, transaction, JavaSpace.NO_WAIT))));
  }

  Lease write(Entry entry, Transaction transaction, Duration lease) {
    return call(
        "write " + entry.getClass().getSimpleName(),
        () -> space.write(entry, transaction, lease.toMillis()));
  }

  /** Commits what the body did, or aborts it if the body throws. */
  <T> T inTransaction(Duration lease, Function<Transaction, T> body) {
    Transaction transaction = call("begin a transaction", () -> space.begin(lease)).transaction;
    T result;
    try {
      result = body.apply(transaction);
    } catch (RuntimeException e) {
      abort(transaction, e);
      throw e;
    }
    return call(
        "commit",
        () -> {
          transaction.commit();
          return result;
        });
  }

  private static void abort(Transaction transaction, RuntimeException cause) {
    try {
      transaction.abort();
    } catch (TransactionException | RemoteException e) {
      cause.addSuppressed(e);
    }
  }
}
