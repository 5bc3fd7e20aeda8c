package io.gleaner.bag;

import io.gleaner.leasing.Ticker;
import io.gleaner.ledger.Ledger;
import io.gleaner.tuple.JobState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes good what a crash or a lost answer left behind: bags that stayed in preparation, tuples of
 * bags that ended, escrows without a living bag. One thread.
 */
final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final int ROUNDS_PER_AUDIT = 30;
  private static final long CLOSE_SECONDS = 20;

  private final BagDatabase database;
  private final Ledger ledger;
  private final BagSettings settings;
  private final Ticker ticker;
  private final ConcurrentMap<String, LiveBag> live;
  private final Ending ending;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "bag-sweeper");
            daemon.setDaemon(true);
            return daemon;
          });
  private int round;

  /** When a bag was first seen in preparation; for the sweeper's thread. */
  private final Map<String, Long> preparingSince = new HashMap<>();

  Sweeper(
      BagDatabase database,
      Ledger ledger,
      BagSettings settings,
      Ticker ticker,
      ConcurrentMap<String, LiveBag> live,
      Ending ending) {
    this.database = database;
    this.ledger = ledger;
    this.settings = settings;
    this.ticker = ticker;
    this.live = live;
    this.ending = ending;
  }

  /** Looks over what an earlier run of the node left, then sweeps until closed. */
  void start() {
    audit();
    long millis = settings.sweep().toMillis();
    var unused = thread.scheduleWithFixedDelay(this::sweep, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Sweeps soon, besides the regular rounds. */
  void wake() {
    try {
      thread.execute(ending::sweepAll);
    } catch (RejectedExecutionException e) {
      LOG.debug("closing; the next start sweeps", e);
    }
  }

  private void sweep() {
    try {
      cancelForgotten();
      ending.sweepAll();
      round++;
      if (round % ROUNDS_PER_AUDIT == 0) {
        audit();
      }
    } catch (RuntimeException e) {
      LOG.error("a round of the sweeper failed, the next one tries again", e);
    }
  }

  /** Whatever is in preparation for too long: nobody will open it any more. */
  private void cancelForgotten() {
    long now = ticker.nanos();
    preparingSince.keySet().removeIf(jobId -> !live.containsKey(jobId));
    for (LiveBag bag : live.values()) {
      if (bag.row().state() != JobState.PREPARING) {
        preparingSince.remove(bag.jobId());
      } else if (now - preparingSince.computeIfAbsent(bag.jobId(), id -> now)
          > settings.preparing().toNanos()) {
        bag.askToCancel("it stayed in preparation for longer than " + settings.preparing());
        if (bag.lifecycle.tryLock()) {
          try {
            ending.cancel(bag, bag.cancelAsked().orElse(""));
          } finally {
            bag.lifecycle.unlock();
          }
        }
      }
    }
  }

  /** Escrows without a living bag are returned. */
  private void audit() {
    for (String jobId : ledger.escrows().keySet()) {
      if (live.containsKey(jobId) || ending.isBeingSwept(jobId)) {
        continue;
      }
      Optional<BagRow> row = database.run("read a bag", c -> BagTable.find(c, jobId));
      if (row.isEmpty()) {
        LOG.error("escrow/{} holds credits and there is no such bag; look at the ledger", jobId);
      } else if (row.get().state().ended()) {
        LOG.warn("escrow/{} was left over and is returned", jobId);
        ending.refund(row.get());
      }
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the sweeper is interrupted, as the node closes");
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
