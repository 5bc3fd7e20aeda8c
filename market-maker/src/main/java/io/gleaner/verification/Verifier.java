package io.gleaner.verification;

import io.gleaner.bag.TaskRegister;
import io.gleaner.blob.BlobStore;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerException;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ResultEntry;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import net.jini.entry.UnusableEntriesException;
import net.jini.space.JavaSpace;
import net.jini.space.MatchSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes results from the space, compares the copies of a task, keeps the canonical output and has
 * the ledger pay each task once (step 8 of the life of a task).
 *
 * <p>One thread looks for results again and again, so that no event is trusted; a look changes
 * nothing and costs the space's journal nothing. The thread is never interrupted: it works on the
 * database's file, which an interrupt would close.
 */
public final class Verifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Verifier.class);
  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  /**
   * What verification works with.
   *
   * @param space the market's space
   * @param database where claims are kept, durable at commit
   * @param epoch the leadership under which payments are made
   */
  public record Parts(
      TupleSpace space,
      TaskRegister register,
      Ledger ledger,
      BlobStore blobs,
      Contracts contracts,
      ResultSignatures signatures,
      Refusals refusals,
      DataSource database,
      InstantSource clock,
      LongSupplier epoch) {
    Examiner examiner() {
      return new Examiner(contracts, blobs, signatures);
    }
  }

  private final Parts parts;
  private final VerifierSettings settings;
  private final ClaimStore store;
  private final Queue<String> suspects = new ConcurrentLinkedQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private Verifier(Parts parts, VerifierSettings settings) {
    this.parts = parts;
    this.settings = settings;
    this.store = new ClaimStore(parts.database());
    this.thread = new Thread(this::work, "verifier");
  }

  /** Starts to verify; close it before the space and the database. */
  public static Verifier start(Parts parts, VerifierSettings settings) {
    Verifier verifier = new Verifier(parts, settings);
    verifier.thread.setDaemon(true);
    verifier.thread.start();
    return verifier;
  }

  /** Lets the batch in hand end, at most its lease; its results are in the space otherwise. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(settings.leaseMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("verification did not end within {} ms", settings.leaseMillis());
    }
  }

  private void work() {
    Instant forgotten = parts.clock().instant();
    while (closed.getCount() > 0) {
      try {
        setAsideSuspects();
        if (verifyNext() == 0) {
          pause(settings.lookMillis());
        }
        if (Duration.between(forgotten, parts.clock().instant()).compareTo(FORGET_EVERY) > 0) {
          forgotten = parts.clock().instant();
          forgetEnded();
        }
      } catch (LedgerException e) {
        LOG.warn("nothing is paid now, tried again later: {} {}", e.code(), e.getMessage());
        pause();
      } catch (RemoteException | TransactionException | LeaseDeniedException e) {
        LOG.warn("a batch of results was not committed, it will be delivered again", e);
        pause();
      } catch (RuntimeException e) {
        LOG.error("a batch of results could not be verified, it will be delivered again", e);
        pause();
      }
    }
  }

  /**
   * Works off one batch of results, if there are any.
   *
   * @return how many there were
   */
  int verifyNext() throws RemoteException, TransactionException, LeaseDeniedException {
    if (!hasResults()) {
      return 0;
    }
    Transaction transaction =
        parts.space().begin(Duration.ofMillis(settings.leaseMillis())).transaction;
    boolean committed = false;
    boolean postponed = false;
    try {
      List<ResultEntry> results = take(transaction);
      if (!results.isEmpty()) {
        Requeue requeue = new Requeue(parts.space(), parts.register(), transaction);
        long epoch = parts.epoch().getAsLong();
        new Batch(parts, settings, store, requeue, epoch).run(results);
        postponed = requeue.postponed();
      }
      // Also without results: it may have taken some that nobody can read.
      transaction.commit();
      committed = true;
      if (postponed) {
        pause();
      }
      return results.size();
    } finally {
      if (!committed) {
        abort(transaction);
      }
    }
  }

  /**
   * Sets aside what this launcher claimed of tasks that are not decided: it counts no more, and
   * others do it again. Done soon after; for all threads.
   */
  public void setAside(String launcherId) {
    suspects.add(launcherId);
  }

  /**
   * As above, for all launchers with claims that are suspect already: they were revoked while
   * nobody verified here. Reads the database.
   *
   * @param suspect of a launcher's owner and id
   * @throws VerificationException if the claims cannot be read
   */
  public void setAsideAll(BiPredicate<String, String> suspect) {
    store.claimants().stream()
        .filter(claimant -> suspect.test(claimant.owner(), claimant.launcherId()))
        .forEach(claimant -> setAside(claimant.launcherId()));
  }

  private void setAsideSuspects()
      throws RemoteException, TransactionException, LeaseDeniedException {
    for (String suspect = suspects.peek(); suspect != null; suspect = suspects.peek()) {
      new Quarantine(parts, settings, store).of(suspect);
      suspects.remove();
    }
  }

  private boolean hasResults() throws RemoteException, TransactionException {
    try {
      MatchSet found = parts.space().contents(List.of(new ResultEntry()), null, Lease.ANY, 1);
      return found.next() != null;
    } catch (UnusableEntryException e) {
      LOG.debug("there is a result that nobody can read", e);
      return true;
    }
  }

  private List<ResultEntry> take(Transaction transaction)
      throws RemoteException, TransactionException {
    Collection<?> taken;
    try {
      taken =
          parts
              .space()
              .take(List.of(new ResultEntry()), transaction, JavaSpace.NO_WAIT, settings.batch());
    } catch (UnusableEntriesException e) {
      LOG.warn("results that nobody can read were dropped unpaid", e);
      taken = e.getEntries();
    }
    List<ResultEntry> results = new ArrayList<>(taken.size());
    for (Object entry : taken) {
      results.add((ResultEntry) entry);
    }
    return results;
  }

  private static void abort(Transaction transaction) {
    try {
      transaction.abort();
    } catch (RemoteException | TransactionException e) {
      // Its lease ends it; the results are back then.
      LOG.debug("a transaction was not aborted", e);
    }
  }

  /** Claims are kept only as long as their bag may still need them. */
  void forgetEnded() {
    Set<String> jobs = store.jobs();
    jobs.removeIf(jobId -> parts.register().termsOfOpen(jobId).isPresent());
    jobs.forEach(store::forget);
  }

  private void pause() {
    pause(settings.waitMillis());
  }

  private void pause(long millis) {
    try {
      boolean ends = closed.await(millis, TimeUnit.MILLISECONDS);
      LOG.trace("after the pause, closing: {}", ends);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed.countDown();
    }
  }
}
