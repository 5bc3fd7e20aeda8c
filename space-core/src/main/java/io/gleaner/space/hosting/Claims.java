package io.gleaner.space.hosting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gleaner.leasing.Ticker;
import io.gleaner.space.core.Cell;
import io.gleaner.storage.Expelled;
import io.gleaner.storage.StorageException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the cells that this member is to have and has not: the storage that all members share says
 * whether it may, and what the cells are. All that are wanted are claimed together. Safe for all
 * threads.
 *
 * <p>Members that were lost are struck off with the claim, so of two sides that cannot see each
 * other one goes on: the larger one, because the smaller one waits before it tries.
 */
final class Claims implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
  private static final long MINORITY_PATIENCE_NANOS = 5_000_000_000L;
  private static final long RETRY_MILLIS = 300;

  private final Keeping keeping;
  private final Roster roster;
  private final Ticker ticker;
  private final IntFunction<CellHost> hosts;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread claiming = new Thread(task, "space-claims");
            claiming.setDaemon(true);
            return claiming;
          });

  @GuardedBy("this")
  private final Set<Integer> wanted = new TreeSet<>();

  /** Since when there was always something wanted; when {@link #wanting}. */
  @GuardedBy("this")
  private long wantingSinceNanos;

  @GuardedBy("this")
  private boolean wanting;

  @GuardedBy("this")
  private boolean scheduled = true;

  @GuardedBy("this")
  private boolean closed;

  private Runnable expelled = () -> {};

  /** Members that were seen and are not known to be struck off. */
  @GuardedBy("this")
  private final Set<String> seen = new HashSet<>();

  /** For the thread. */
  private Optional<Long> lossNanos = Optional.empty();

  /** For the thread. */
  private boolean troubled;

  /**
   * A cell without an owner.
   *
   * @param number names the claim
   * @param copy what this member has of it; nobody else touches it until the claim has ended
   */
  record Unclaimed(long number, Optional<Cell> copy) {}

  Claims(Keeping keeping, Roster roster, Ticker ticker, IntFunction<CellHost> hosts) {
    this.keeping = keeping;
    this.roster = roster;
    this.ticker = ticker;
    this.hosts = hosts;
  }

  /**
   * Nothing is claimed before.
   *
   * @param heard is run if the others go on without this member
   */
  void begin(Runnable heard) {
    expelled = heard;
    schedule(0);
  }

  /** Looks who is there, and notices who is not any more; now and then. */
  synchronized void lookRound() {
    seen.addAll(roster.members());
  }

  /** The cell is to be claimed, unless it goes elsewhere before. */
  synchronized void want(int cell) {
    wanted.add(cell);
    if (!wanting) {
      wanting = true;
      wantingSinceNanos = ticker.nanos();
    }
    if (!scheduled) {
      scheduled = true;
      schedule(0);
    }
  }

  /** For how long cells have been wanted that could not be claimed; 0 if there are none. */
  synchronized long wantingNanos() {
    return wanting ? ticker.nanos() - wantingSinceNanos : 0;
  }

  private synchronized void schedule(long millis) {
    if (!closed) {
      var unused = thread.schedule(this::pass, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void pass() {
    boolean done = false;
    try {
      done = claimWanted();
    } catch (Expelled e) {
      LOG.debug("this member can claim nothing", e);
      expelled.run();
      return;
    } catch (StorageException e) {
      tellTrouble(e);
    } catch (RuntimeException e) {
      LOG.warn("cells were not claimed; they are not served until they are", e);
    }
    synchronized (this) {
      scheduled = !done || !wanted.isEmpty();
      wanting = scheduled;
      if (done) {
        wantingSinceNanos = ticker.nanos();
      }
      if (scheduled) {
        schedule(done ? 0 : RETRY_MILLIS);
      }
    }
  }

  /** Once, until a claim succeeds: it is tried again and again. */
  private void tellTrouble(StorageException why) {
    if (!troubled && !isClosed()) {
      LOG.warn("cells are not served until they can be claimed: {}", why.getMessage());
      troubled = true;
    }
    LOG.debug("cells were not claimed", why);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** False if it is to be tried again. */
  private boolean claimWanted() {
    if (!isAnyWanted()) {
      return true;
    }
    Set<String> members = roster.members();
    Set<String> lost = lost(members);
    if (lost.size() > members.size()) {
      // Not those who have left in order.
      lost.retainAll(keeping.members());
    }
    if (mustWait(lost, members)) {
      return false;
    }
    Set<Integer> cells;
    synchronized (this) {
      cells = new TreeSet<>(wanted);
      wanted.clear();
    }
    Map<Integer, Unclaimed> begun = new TreeMap<>();
    for (int cell : cells) {
      CellHost host = hosts.apply(cell);
      host.turn().now(() -> host.beginClaim().ifPresent(claim -> begun.put(cell, claim)));
    }
    if (!begun.isEmpty()) {
      claim(begun, lost);
    }
    return true;
  }

  private synchronized boolean isAnyWanted() {
    return !wanted.isEmpty();
  }

  private synchronized Set<String> lost(Set<String> members) {
    seen.addAll(members);
    Set<String> lost = new HashSet<>(seen);
    lost.removeAll(members);
    return lost;
  }

  /** Whether those who are lost may be more, and should go on before this side does. */
  private boolean mustWait(Set<String> lost, Set<String> members) {
    if (lost.size() <= members.size()) {
      lossNanos = Optional.empty();
      return false;
    }
    long now = ticker.nanos();
    if (lossNanos.isEmpty()) {
      lossNanos = Optional.of(now);
    }
    return now - lossNanos.get() < MINORITY_PATIENCE_NANOS;
  }

  private void claim(Map<Integer, Unclaimed> begun, Set<String> lost) {
    Map<Integer, Optional<Cell>> copies = new HashMap<>();
    begun.forEach((cell, claim) -> copies.put(cell, claim.copy()));
    Map<Integer, Cell> claimed;
    try {
      claimed = keeping.claim(roster.self(), lost, copies);
    } catch (RuntimeException e) {
      begun.forEach(
          (cell, claim) -> {
            CellHost host = hosts.apply(cell);
            host.turn().now(() -> host.claimFailed(claim));
            want(cell);
          });
      throw e;
    }
    synchronized (this) {
      seen.removeAll(lost);
    }
    lossNanos = Optional.empty();
    troubled = false;
    LOG.info("{} cells are claimed; lost members: {}", claimed.size(), lost);
    claimed.forEach(
        (cell, now) -> {
          CellHost host = hosts.apply(cell);
          host.turn().now(() -> host.claimed(begun.get(cell).number(), now));
        });
  }

  @Override
  public synchronized void close() {
    closed = true;
    thread.shutdown();
  }
}
