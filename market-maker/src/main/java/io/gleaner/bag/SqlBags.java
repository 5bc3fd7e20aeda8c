package io.gleaner.bag;

import io.gleaner.blob.UserBlobs;
import io.gleaner.description.TaskExpansion;
import io.gleaner.leasing.Ticker;
import io.gleaner.ledger.Ledger;
import io.gleaner.notice.Notices;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.TaskEntry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The bags of a node: rows and outcomes in SQL, tuples in the space, credits in the ledger. Safe
 * for all threads.
 *
 * <p>The SQL row says what a bag's state is; the space says what launchers may do; {@link Ending}
 * and {@link Sweeper} bring the space and the ledger to what the row says.
 */
public final class SqlBags implements Bags, OpenBags, TaskRegister, AutoCloseable {
  private static final int MOST_LISTED = 10_000;
  private static final int MOST_OUTCOMES = 10_000;

  private final BagDatabase database;
  private final ConcurrentMap<String, LiveBag> live = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Running> running = new ConcurrentHashMap<>();
  private final Expansions expansions;
  private final Notices notices;
  private final ChangeFeed changes;
  private final Ending ending;
  private final Submitting submitting;
  private final Resuming resuming;
  private final Sweeper sweeper;

  /** A submission under way, which an equal one of the same key joins. */
  private record Running(String contentDigest, CompletableFuture<Summary> summary) {}

  private SqlBags(
      DataSource source,
      TupleSpace space,
      UserBlobs blobs,
      Ledger ledger,
      SpaceSigners signers,
      BagSettings settings,
      InstantSource clock) {
    this.database = new BagDatabase(source);
    this.expansions = new Expansions(blobs.all());
    this.notices = Notices.start(source, settings.notices(), clock);
    this.changes = new ChangeFeed(settings.coalesce());
    BagTuples tuples = new BagTuples(space);
    Programs programs = new Programs(signers);
    this.ending = new Ending(database, tuples, ledger, notices, changes, settings, clock, live);
    this.submitting =
        new Submitting(database, tuples, blobs, ledger, programs, notices, clock, live, ending);
    this.resuming = new Resuming(database, tuples, blobs.all(), live, programs, ending);
    this.sweeper = new Sweeper(database, ledger, settings, Ticker.system(), live, ending);
  }

  /**
   * Goes on with the bags of the last run; those of which the space knows nothing are cancelled and
   * refunded.
   *
   * @param source a database with the migrations applied
   * @param space the market's space; stays open when this is closed
   */
  public static SqlBags start(
      DataSource source,
      TupleSpace space,
      UserBlobs blobs,
      Ledger ledger,
      SpaceSigners signers,
      BagSettings settings,
      InstantSource clock) {
    SqlBags bags = new SqlBags(source, space, blobs, ledger, signers, settings, clock);
    try {
      bags.resuming.run();
      bags.sweeper.start();
      return bags;
    } catch (RuntimeException e) {
      bags.close();
      throw e;
    }
  }

  @Override
  public Summary submit(String owner, Submission submission) {
    Submitting.requireKey(submission.idempotencyKey());
    String contentDigest = Submitting.contentDigest(submission);
    String slot = owner + "\n" + submission.idempotencyKey();
    Running mine = new Running(contentDigest, new CompletableFuture<>());
    Running other = running.putIfAbsent(slot, mine);
    if (other != null) {
      return join(other, submission, contentDigest);
    }
    try {
      BagRow row = submitting.submit(owner, submission, contentDigest);
      mine.summary().complete(row.summary());
      changes.changed(row.jobId());
      return row.summary();
    } catch (RuntimeException e) {
      mine.summary().completeExceptionally(e);
      throw e;
    } finally {
      running.remove(slot);
    }
  }

  private static Summary join(Running other, Submission submission, String contentDigest) {
    if (!other.contentDigest().equals(contentDigest)) {
      throw Submitting.keyReused(submission.idempotencyKey());
    }
    try {
      return other.summary().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof BagException refused) {
        throw refused;
      }
      throw e;
    }
  }

  @Override
  public List<Summary> list(Optional<String> owner, int limit) {
    int most = bounded("limit", limit, MOST_LISTED);
    return database.run("list the bags", c -> BagTable.newest(c, owner, most)).stream()
        .map(BagRow::summary)
        .toList();
  }

  @Override
  public Optional<Summary> find(String jobId) {
    return row(jobId).map(BagRow::summary);
  }

  private Optional<BagRow> row(String jobId) {
    LiveBag bag = live.get(jobId);
    return bag != null
        ? Optional.of(bag.row())
        : database.run("read a bag", c -> BagTable.find(c, jobId));
  }

  @Override
  public Summary cancel(String jobId, String reason) {
    LiveBag bag = live.get(jobId);
    if (bag == null) {
      return row(jobId).orElseThrow(() -> Ending.unknown(jobId)).summary();
    }
    bag.askToCancel(reason);
    bag.lifecycle.lock();
    try {
      return live.containsKey(jobId)
          ? ending.cancel(bag, reason).summary()
          : row(jobId).orElseThrow(() -> Ending.unknown(jobId)).summary();
    } finally {
      bag.lifecycle.unlock();
    }
  }

  @Override
  public List<TaskOutcome> outcomes(String jobId, int afterIndex, int limit) {
    int most = bounded("limit", limit, MOST_OUTCOMES);
    TaskExpansion tasks = tasks(jobId).orElseThrow(() -> Ending.unknown(jobId));
    return database.run(
        "list outcomes", c -> OutcomeTable.after(c, jobId, afterIndex, most, tasks));
  }

  @Override
  public List<Placed> completions(String jobId, int afterPlace, int limit) {
    int most = bounded("limit", limit, MOST_OUTCOMES);
    TaskExpansion tasks = tasks(jobId).orElseThrow(() -> Ending.unknown(jobId));
    return database.run(
        "list completions", c -> OutcomeTable.completions(c, jobId, afterPlace, most, tasks));
  }

  private Optional<TaskExpansion> tasks(String jobId) {
    LiveBag bag = live.get(jobId);
    return bag != null ? Optional.of(bag.tasks) : row(jobId).map(expansions::of);
  }

  @Override
  public AutoCloseable onChange(Consumer<String> changed) {
    return changes.subscribe(changed);
  }

  @Override
  public Optional<Counters> counters(String jobId) {
    return open(jobId)
        .map(LiveBag::row)
        .map(
            row ->
                new Counters(
                    row.tasks() - row.completed() - row.failed(),
                    Math.max(0, row.budgetMicros() - row.spentMicros())));
  }

  @Override
  public Optional<Terms> termsOfOpen(String jobId) {
    return open(jobId)
        .map(
            bag ->
                new Terms(
                    bag.row().owner(),
                    bag.description.replication(),
                    bag.description.maxAttempts(),
                    bag.description.limits().microUnits(),
                    bag.price.mostMicrosPerTask()));
  }

  private Optional<LiveBag> open(String jobId) {
    return Optional.ofNullable(live.get(jobId)).filter(LiveBag::isOpen);
  }

  @Override
  public Optional<TaskEntry> task(String jobId, int taskIndex) {
    return Optional.ofNullable(live.get(jobId))
        .filter(bag -> taskIndex >= 0 && taskIndex < bag.tasks.size())
        .map(bag -> BagTuples.task(bag, taskIndex, 0));
  }

  @Override
  public boolean ended(String jobId, TaskOutcome outcome) {
    Ending.Recorded recorded = ending.taskEnded(jobId, outcome);
    if (recorded.row().state().ended()) {
      sweeper.wake();
    }
    return recorded.isNew();
  }

  private static int bounded(String name, int value, int most) {
    if (value < 1) {
      throw new BagException(
          BagException.Code.LIMIT, name + " = " + value + ", expected 1 to " + most);
    }
    return Math.min(value, most);
  }

  /** Stops sweeping and telling; open bags stay open on disk until the next start. */
  @Override
  public void close() {
    sweeper.close();
    changes.close();
    notices.close();
  }
}
