package io.gleaner.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.storage.StorageException.Code;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that commits: all that waits when the last commit has ended, in the order in which
 * it came, up to a number of bytes.
 */
final class GroupCommit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
  private static final int DELETED_AT_ONCE = 128;
  private static final long CLOSE_MILLIS = 5_000;

  /** Where others write too, the journal is measured so often. */
  private static final int COMMITS_BETWEEN = 64;

  private static final long IDLE_MILLIS = 5_000;

  private final Transactions transactions;
  private final JournalTables tables;
  private final LogExtent extent;
  private final JournalSettings settings;
  private final IntConsumer imageWanted;
  private final Runnable reopen;
  private final boolean shared;
  private final Thread thread = new Thread(this::run, "journal");
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final ArrayDeque<Append> waiting = new ArrayDeque<>();

  /** What is known of the cells of this member. */
  @GuardedBy("lock")
  private final Map<Integer, Ownership> owned = new HashMap<>();

  @GuardedBy("lock")
  private long waitingBytes;

  @GuardedBy("lock")
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  @GuardedBy("lock")
  private boolean closed;

  /** Why this member's order has ended, if it has. */
  @GuardedBy("lock")
  private Optional<Deposed> ended = Optional.empty();

  private volatile StorageException trouble;

  /** Some may be there since before. */
  private boolean deleting = true;

  private int commitsSinceCount;

  private static final class Ownership {
    final long epoch;
    long next;

    /** When the last input came. */
    long lastMillis;

    Ownership(long epoch, long next, long lastMillis) {
      this.epoch = epoch;
      this.next = next;
      this.lastMillis = lastMillis;
    }
  }

  GroupCommit(
      Transactions transactions,
      JournalTables tables,
      LogExtent extent,
      JournalSettings settings,
      IntConsumer imageWanted,
      Runnable reopen,
      boolean shared) {
    this.transactions = transactions;
    this.tables = tables;
    this.extent = extent;
    this.settings = settings;
    this.imageWanted = imageWanted;
    this.reopen = reopen;
    this.shared = shared;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void owns(int cell, long epoch, long last, long lastMillis) {
    synchronized (lock) {
      owned.put(cell, new Ownership(epoch, last + 1, lastMillis));
    }
  }

  /** The time of day at which the last input of the cell came; 0 if it is not owned here. */
  long lastMillis(int cell) {
    synchronized (lock) {
      Ownership ownership = owned.get(cell);
      return ownership == null ? 0 : ownership.lastMillis;
    }
  }

  void disowns(int cell) {
    synchronized (lock) {
      owned.remove(cell);
    }
  }

  CompletableFuture<Void> append(Append append) {
    synchronized (lock) {
      Ownership ownership = owned.get(append.cell());
      if (ended.isPresent()) {
        append.durable().completeExceptionally(ended.get());
      } else if (closed) {
        append.durable().completeExceptionally(closedException());
      } else if (ownership == null || ownership.epoch != append.epoch()) {
        ended = Optional.of(new Deposed(append.cell(), append.epoch()));
        append.durable().completeExceptionally(ended.get());
        lock.notifyAll();
      } else if (ownership.next != append.first()) {
        throw new IllegalArgumentException(
            "cell "
                + append.cell()
                + " goes on with input "
                + append.first()
                + ", expected "
                + ownership.next);
      } else {
        ownership.next += append.records().size();
        ownership.lastMillis = append.millis();
        waiting.addLast(append);
        waitingBytes += append.bytes();
        last = append.durable();
        lock.notifyAll();
      }
    }
    return append.durable();
  }

  CompletableFuture<Void> allSoFar() {
    synchronized (lock) {
      return ended.map(CompletableFuture::<Void>failedFuture).orElseGet(last::copy);
    }
  }

  Optional<StorageException> trouble() {
    return Optional.ofNullable(trouble);
  }

  long waitingBytes() {
    synchronized (lock) {
      return waitingBytes;
    }
  }

  private void run() {
    List<Append> batch = next();
    while (!isOver(batch) && (batch.isEmpty() || commitUntilDone(batch))) {
      count(batch);
      // Whoever listens may fail; the others are to hear of it all the same.
      for (int cell : extent.due()) {
        imageWanted.accept(cell);
      }
      tidy();
      batch = next();
    }
    if (trouble == null) {
      letGo();
    }
    synchronized (lock) {
      closed = true;
      RuntimeException why =
          ended.<RuntimeException>map(each -> each).orElseGet(GroupCommit::closedException);
      fail(batch, why);
      fail(waiting, why);
      waiting.clear();
    }
  }

  private boolean isOver(List<Append> batch) {
    synchronized (lock) {
      return ended.isPresent() || (batch.isEmpty() && closed);
    }
  }

  /** What is committed next; empty when the journal is closed, or to look after others' batches. */
  private List<Append> next() {
    List<Append> batch = new ArrayList<>();
    synchronized (lock) {
      if (shared && waiting.isEmpty() && !closed && !await(IDLE_MILLIS)) {
        closed = true;
      }
      while (!shared && waiting.isEmpty() && !closed) {
        if (!await(0)) {
          closed = true;
        }
      }
      long bytes = 0;
      while (!waiting.isEmpty()
          && (batch.isEmpty() || bytes + waiting.peekFirst().bytes() <= settings.batchBytes())) {
        Append append = waiting.pollFirst();
        bytes += append.bytes();
        batch.add(append);
      }
      waitingBytes -= bytes;
    }
    return batch;
  }

  /** False if the journal was closed before it was done. */
  private boolean commitUntilDone(List<Append> batch) {
    while (true) {
      try {
        Map<Append, Deposed> rejected = commit(batch);
        if (trouble != null) {
          LOG.info("the journal goes on");
          trouble = null;
        }
        if (!rejected.isEmpty()) {
          synchronized (lock) {
            ended = Optional.of(rejected.values().iterator().next());
          }
        }
        for (Append append : batch) {
          Deposed deposed = rejected.get(append);
          if (deposed == null) {
            append.durable().complete(null);
          } else {
            append.durable().completeExceptionally(deposed);
          }
        }
        return true;
      } catch (SQLException | RuntimeException e) {
        if (trouble == null) {
          LOG.error("{}", unusable(e).getMessage());
        }
        LOG.debug("a commit of the journal failed", e);
        trouble = unusable(e);
        synchronized (lock) {
          if (closed || !await(settings.retryMillis()) || closed) {
            return false;
          }
        }
        reopen.run();
      }
    }
  }

  private Map<Append, Deposed> commit(List<Append> batch) throws SQLException {
    Integer[] cells = batch.stream().map(Append::cell).distinct().sorted().toArray(Integer[]::new);
    Map<Append, Deposed> rejected = new LinkedHashMap<>();
    List<Append> accepted = new ArrayList<>(batch.size());
    long number =
        transactions.run(
            connection -> {
              Map<Integer, Long> epochs = tables.epochs(connection, cells);
              for (Append append : batch) {
                // What comes after something that is refused may follow from it.
                if (rejected.isEmpty()
                    && epochs.getOrDefault(append.cell(), 0L) == append.epoch()) {
                  accepted.add(append);
                } else {
                  rejected.put(append, new Deposed(append.cell(), append.epoch()));
                }
              }
              return accepted.isEmpty() ? 0L : insert(connection, accepted);
            });
    if (!accepted.isEmpty()) {
      extent.appended(number, accepted);
      if (!shared) {
        extent.counted(number, accepted.stream().mapToLong(Append::bytes).sum());
      }
    }
    return rejected;
  }

  private long insert(Connection connection, List<Append> accepted) throws SQLException {
    return tables.insert(connection, Batch.directory(accepted), Batch.records(accepted));
  }

  /** Looks how long others have made the journal. */
  private void count(List<Append> batch) {
    if (!shared || (!batch.isEmpty() && ++commitsSinceCount < COMMITS_BETWEEN)) {
      return;
    }
    commitsSinceCount = 0;
    try {
      JournalTables.Length length =
          transactions.run(connection -> tables.lengthAfter(connection, extent.counted()));
      if (length.bytes() > 0) {
        extent.counted(length.newest(), length.bytes());
      }
    } catch (SQLException e) {
      LOG.warn("the length of the journal is not known; it is measured later", e);
    }
  }

  /** Deletes a few of the batches that all cells have left behind. */
  private void tidy() {
    try {
      LogExtent.Floor floor = extent.floor();
      if (extent.dropBefore(floor.batch())) {
        letGoBefore(floor);
        deleting = true;
      }
      if (deleting) {
        deleting =
            transactions.run(connection -> tables.deleteUnneeded(connection, DELETED_AT_ONCE))
                == DELETED_AT_ONCE;
      }
    } catch (SQLException e) {
      LOG.warn("old batches of the journal were not deleted; later", e);
    }
  }

  /** Whoever reads the journal next need not look at what no cell of this member needs. */
  private void letGo() {
    try {
      letGoBefore(extent.floor());
    } catch (SQLException e) {
      LOG.debug("more of the journal is read at the next start than is needed", e);
    }
  }

  private void letGoBefore(LogExtent.Floor floor) throws SQLException {
    transactions.run(
        connection -> {
          tables.keepFrom(connection, stillOwned(connection, floor.cells()), floor.batch());
          return null;
        });
  }

  /**
   * Those of the cells that nobody else has taken over, which stays so until the transaction ends.
   */
  private List<Integer> stillOwned(Connection connection, Collection<Integer> cells)
      throws SQLException {
    Map<Integer, Long> epochs = tables.epochs(connection, cells.toArray(Integer[]::new));
    List<Integer> still = new ArrayList<>();
    synchronized (lock) {
      for (int cell : cells) {
        Ownership ownership = owned.get(cell);
        if (ownership != null && epochs.getOrDefault(cell, 0L) == ownership.epoch) {
          still.add(cell);
        }
      }
    }
    return still;
  }

  /** False if the thread is to end. */
  @GuardedBy("lock")
  @SuppressWarnings("WaitNotInLoop") // the callers look again
  private boolean await(long millis) {
    try {
      lock.wait(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void fail(Iterable<Append> batch, RuntimeException why) {
    batch.forEach(append -> append.durable().completeExceptionally(why));
  }

  static StorageException unusable(Exception cause) {
    return new StorageException(
        Code.UNUSABLE,
        "the database of the space does not store; check that the disk has room and that the server"
            + " runs; nothing is acknowledged until it does: "
            + cause.getMessage(),
        cause);
  }

  private static StorageException closedException() {
    return new StorageException(Code.UNUSABLE, "the journal was closed before this was durable");
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    try {
      thread.join(CLOSE_MILLIS);
      if (thread.isAlive()) {
        LOG.warn("the journal is closed in the middle of a commit");
        thread.interrupt();
        thread.join(CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
