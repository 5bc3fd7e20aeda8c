package io.gleaner.puller;

import io.gleaner.leasing.Ticker;
import java.rmi.RemoteException;
import java.time.Duration;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.LeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction under which tasks are held; its lease is the heartbeat. Safe for all threads.
 *
 * <p>When the lease is lost the tasks are back in the market, and what they found here is dropped.
 */
final class Hold {
  /** How long the market waits for a heartbeat before it gives the tasks to somebody else. */
  static final Duration LEASE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Hold.class);

  private final Transaction.Created created;
  private final Ticker ticker;
  private final Runnable whenLost;
  private volatile long renewedNanos;
  private volatile boolean lost;

  /**
   * @param whenLost called once, on the thread that renews
   */
  Hold(Transaction.Created created, Ticker ticker, Runnable whenLost) {
    this.created = created;
    this.ticker = ticker;
    this.whenLost = whenLost;
    this.renewedNanos = ticker.nanos();
  }

  Transaction transaction() {
    return created.transaction;
  }

  boolean lost() {
    return lost;
  }

  /** Beats once. */
  void renew() {
    long before = ticker.nanos();
    try {
      created.lease.renew(LEASE.toMillis());
      renewedNanos = before;
    } catch (LeaseDeniedException e) {
      LOG.debug("the lease was not extended: {}", e.toString());
      loseIfExpired();
    } catch (LeaseException e) {
      lose(e);
    } catch (RemoteException | RuntimeException e) {
      LOG.debug("a heartbeat did not arrive: {}", e.toString());
      loseIfExpired();
    }
  }

  /** Gives everything back; does nothing if that happened already. */
  void abort() {
    try {
      created.transaction.abort();
    } catch (TransactionException e) {
      LOG.debug("the transaction was gone already: {}", e.toString());
    } catch (RemoteException | RuntimeException e) {
      LOG.info("the transaction was not aborted, it ends with its lease: {}", e.toString());
    }
  }

  private void loseIfExpired() {
    if (ticker.nanos() - renewedNanos > LEASE.toNanos()) {
      lose(new IllegalStateException("no heartbeat for " + LEASE.toSeconds() + " s"));
    }
  }

  private synchronized void lose(Exception why) {
    if (!lost) {
      lost = true;
      LOG.warn("lost the lease of tasks that run here, they run elsewhere: {}", why.toString());
      whenLost.run();
    }
  }
}
