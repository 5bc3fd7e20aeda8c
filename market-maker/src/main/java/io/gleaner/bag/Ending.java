package io.gleaner.bag;

import io.gleaner.description.BagDescription;
import io.gleaner.leasing.Ticker;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerException;
import io.gleaner.notice.BagNews;
import io.gleaner.notice.Notices;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How bags come to their end: task by task, by the first failure, or by a cancel; and what follows
 * then: commits refused, tuples removed, the rest of the escrow returned. Safe for all threads.
 */
final class Ending {
  private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

  private final BagDatabase database;
  private final BagTuples tuples;
  private final Ledger ledger;
  private final Notices notices;
  private final ChangeFeed changes;
  private final BagSettings settings;
  private final InstantSource clock;
  private final Ticker ticker = Ticker.system();
  private final ConcurrentMap<String, LiveBag> live;

  /** Bags that ended and whose tuples may still come back from a launcher's transaction. */
  private final Map<String, Remains> remains = new ConcurrentHashMap<>();

  /** What is left to do for a bag that ended; its fields are guarded by itself. */
  private static final class Remains {
    private final BagRow row;
    private boolean refunded;
    private long lastSeenNanos;

    Remains(BagRow row, long nowNanos) {
      this.row = row;
      this.lastSeenNanos = nowNanos;
    }
  }

  Ending(
      BagDatabase database,
      BagTuples tuples,
      Ledger ledger,
      Notices notices,
      ChangeFeed changes,
      BagSettings settings,
      InstantSource clock,
      ConcurrentMap<String, LiveBag> live) {
    this.database = database;
    this.tuples = tuples;
    this.ledger = ledger;
    this.notices = notices;
    this.changes = changes;
    this.settings = settings;
    this.clock = clock;
    this.live = live;
  }

  /** The row of a bag after a task of it, and whether that was recorded just now. */
  record Recorded(BagRow row, boolean isNew) {}

  /**
   * Records and counts a task in one SQL transaction; the last one, or the first failed one of a
   * bag that stops then, ends the bag. Told of a task again, it brings memory to what the disk
   * says: the first time may have been committed without anybody hearing so.
   */
  Recorded taskEnded(String jobId, Bags.TaskOutcome outcome) {
    LiveBag bag = live.get(jobId);
    if (bag == null) {
      // It was paid before the cancel came: it is kept and counted, and opens nothing again.
      Recorded counted = record(jobId, outcome, Optional.empty());
      if (counted.isNew()) {
        tell(counted.row());
      }
      return counted;
    }
    Recorded recorded;
    boolean changed;
    bag.counting.lock();
    try {
      recorded = record(jobId, outcome, Optional.of(bag.description));
      changed = !recorded.row().equals(bag.row());
      bag.row(recorded.row());
    } finally {
      bag.counting.unlock();
    }
    if (recorded.row().state().ended()) {
      ended(recorded.row());
    }
    if (changed) {
      tell(recorded.row());
    }
    return recorded;
  }

  /** Comes after the row is in memory: who is told before reads the row of before, for good. */
  private void tell(BagRow row) {
    changes.changed(row.jobId());
    notices.wake();
  }

  private Recorded record(
      String jobId, Bags.TaskOutcome outcome, Optional<BagDescription> description) {
    return database.run(
        "record how a task ended",
        c -> {
          BagRow row = BagTable.lock(c, jobId).orElseThrow(() -> unknown(jobId));
          if (OutcomeTable.has(c, jobId, outcome.taskIndex())) {
            return new Recorded(row, false);
          }
          boolean success = outcome.outcome().equals(Outcome.COMPLETED.name());
          BagRow counted = row.counting(outcome, success);
          OutcomeTable.insert(c, jobId, counted.completed() + counted.failed(), outcome);
          BagRow next =
              row.state() == JobState.OPEN
                  ? endedBy(counted, success, outcome, description)
                  : counted;
          BagTable.update(c, next);
          if (description.isPresent()) {
            decideNotices(c, description.get(), row, next);
          }
          return new Recorded(next, true);
        });
  }

  private BagRow endedBy(
      BagRow counted,
      boolean success,
      Bags.TaskOutcome outcome,
      Optional<BagDescription> description) {
    if (!success && description.filter(BagDescription::stopsOnFailure).isPresent()) {
      return counted.after(
          JobState.Event.TASK_FAILED_FOR_GOOD,
          clock.instant(),
          "task " + outcome.taskIndex() + " failed for good: " + outcome.reason());
    }
    return counted.allTasksEnded()
        ? counted.after(JobState.Event.LAST_TASK_ENDED, clock.instant(), "")
        : counted;
  }

  private void decideNotices(Connection c, BagDescription description, BagRow before, BagRow after)
      throws SQLException {
    if (description.notice().isEmpty()) {
      return;
    }
    BagDescription.Notice wanted = description.notice().get();
    long mark = after.budgetMicros() - after.budgetMicros() / 5;
    if (mark > 0 && before.spentMicros() < mark && after.spentMicros() >= mark) {
      decide(c, wanted, BagDescription.Event.BUDGET_80, after);
    }
    if (!before.state().ended() && after.state().ended()) {
      boolean done = after.state() == JobState.DONE;
      decide(c, wanted, done ? BagDescription.Event.DONE : BagDescription.Event.FAILED, after);
    }
  }

  private void decide(
      Connection c, BagDescription.Notice wanted, BagDescription.Event event, BagRow row)
      throws SQLException {
    notices.decide(
        c,
        wanted,
        event,
        new BagNews(
            event.name().toLowerCase(Locale.ROOT),
            row.jobId(),
            row.name(),
            row.owner(),
            row.state().name(),
            row.tasks(),
            row.completed(),
            row.failed(),
            row.budgetMicros(),
            row.spentMicros(),
            row.note()));
  }

  /**
   * Cancels a bag in memory: first the space refuses its commits, then the disk says so, then its
   * tuples go and its escrow returns. The caller holds the bag's lifecycle lock.
   */
  BagRow cancel(LiveBag bag, String reason) {
    if (bag.isOpen() && !tuples.close(bag, JobState.CANCELLED, settings.lockWait())) {
      // Results are dropped by what the disk says; the sweeper takes the job when it is free.
      LOG.warn("bag {}: its job is held by a transaction; cancelled all the same", bag.jobId());
    }
    BagRow row;
    bag.counting.lock();
    try {
      row = cancelRow(bag.jobId(), Optional.of(bag.description), reason);
      bag.row(row);
    } finally {
      bag.counting.unlock();
    }
    ended(row);
    tell(row);
    sweep(bag.jobId());
    LOG.info("bag {} is {}: {}", row.jobId(), row.state(), row.note());
    return row;
  }

  /** A submission that did not end may be tried again with its key; comes before its cancel. */
  void releaseKey(String jobId) {
    database.run(
        "release the key of a bag",
        c -> {
          BagTable.releaseKey(c, jobId);
          return jobId;
        });
  }

  /** Turns the row to CANCELLED, unless it ended before. */
  BagRow cancelRow(String jobId, Optional<BagDescription> description, String reason) {
    return database.run(
        "cancel the bag",
        c -> {
          BagRow before = BagTable.lock(c, jobId).orElseThrow(() -> unknown(jobId));
          if (before.state().ended()) {
            return before;
          }
          BagRow after = before.after(JobState.Event.CANCEL, clock.instant(), reason);
          BagTable.update(c, after);
          if (description.isPresent()) {
            decideNotices(c, description.get(), before, after);
          }
          return after;
        });
  }

  /** Forgets the bag's tasks and hands what is left of it to {@link #sweepAll}. */
  void ended(BagRow row) {
    remains.putIfAbsent(row.jobId(), new Remains(row, ticker.nanos()));
    live.remove(row.jobId());
  }

  boolean isBeingSwept(String jobId) {
    return remains.containsKey(jobId);
  }

  /** One round over the bags that ended. */
  void sweepAll() {
    for (String jobId : remains.keySet()) {
      try {
        sweep(jobId);
      } catch (RuntimeException e) {
        LOG.warn("bag {} could not be swept, trying again", jobId, e);
      }
    }
  }

  private void sweep(String jobId) {
    Remains left = remains.get(jobId);
    if (left == null) {
      return;
    }
    synchronized (left) {
      left.refunded = left.refunded || refund(left.row);
      if (tuples.sweep(jobId) > 0) {
        left.lastSeenNanos = ticker.nanos();
      }
      long quietNanos = ticker.nanos() - left.lastSeenNanos;
      if (left.refunded && quietNanos > settings.quiet().toNanos()) {
        database.run(
            "note that a bag is swept",
            c -> {
              BagTable.swept(c, jobId);
              return jobId;
            });
        remains.remove(jobId);
      }
    }
  }

  /** Returns the rest of the escrow; true when there is nothing left to return. */
  boolean refund(BagRow row) {
    try {
      long micros = ledger.refund(row.owner(), row.jobId(), row.state() + ": " + row.note());
      LOG.info("bag {}: {} micro-credits returned to {}", row.jobId(), micros, row.owner());
      return true;
    } catch (LedgerException e) {
      if (e.code() == LedgerException.Code.INVALID) {
        LOG.info("bag {} ended before its escrow was made", row.jobId());
        return true;
      }
      LOG.warn("bag {}: the refund was refused, trying again", row.jobId(), e);
      return false;
    }
  }

  static BagException unknown(String jobId) {
    return new BagException(
        BagException.Code.UNKNOWN_BAG, "there is no bag '" + jobId + "'; see the list of bags");
  }
}
