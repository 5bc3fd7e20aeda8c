package io.gleaner.puller;

import io.gleaner.blob.BlobStore;
import io.gleaner.cache.BlobCache;
import io.gleaner.idle.Observations;
import io.gleaner.idle.Sensors;
import io.gleaner.leasing.Ticker;
import io.gleaner.policy.Circumstances;
import io.gleaner.policy.LauncherException;
import io.gleaner.policy.LauncherState;
import io.gleaner.policy.OwnerPolicy;
import io.gleaner.policy.OwnerPolicy.InForce;
import io.gleaner.policy.PolicyMachine;
import io.gleaner.policy.Standing;
import io.gleaner.policy.Wish;
import io.gleaner.sandbox.JavaSandbox;
import io.gleaner.sandbox.Spawner;
import io.gleaner.signing.ResultSigner;
import io.gleaner.signing.SeenBundles;
import io.gleaner.space.TupleSpace;
import io.gleaner.status.LauncherStatus;
import io.gleaner.status.OwnersWord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One machine in the market. Safe for all threads.
 *
 * <p>One thread watches the owner and decides; it never waits for the market, so that a yield is
 * never late. One thread speaks with the market. Each slot has a thread of its own.
 */
public final class Launcher implements OwnersWord, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);
  private static final long LOOK_MILLIS = 200;
  private static final long MARKET_MILLIS = 250;
  private static final long CALM_MILLIS = 1000;
  private static final long SILENCE_NANOS = Hold.LEASE.toNanos();
  private static final long CLOSE_MILLIS = 1000;

  private final LauncherSettings settings;
  private final String owner;
  private final DataFolder folder;
  private final Sensors sensors;
  private final Wishes wishes;
  private final Ticker ticker = Ticker.system();
  private final InstantSource clock = InstantSource.system();
  private final long microUnitsPerSecond;
  private final Presence presence;
  private final Contracts contracts;
  private final Notices notices;
  private final Heartbeat heartbeat = new Heartbeat();
  private final Attempts attempts;
  private final Tally tally = new Tally();
  private final List<Slot> slots = new ArrayList<>();
  private final List<Thread> slotThreads = new ArrayList<>();
  private final Thread watcher;
  private final Thread market;

  private volatile Standing standing;
  private volatile InForce force;
  private volatile boolean stopping;
  private volatile long heardNanos;

  private Launcher(
      LauncherSettings settings,
      TupleSpace space,
      BlobStore blobs,
      String owner,
      ResultSigner signer,
      DataFolder folder,
      Sensors sensors)
      throws IOException {
    this.settings = settings;
    this.owner = owner;
    this.folder = folder;
    this.sensors = sensors;
    this.wishes = new Wishes(folder.path(), clock, ticker);
    this.force = force();
    this.standing = Standing.starting(ticker.nanos());
    this.heardNanos = ticker.nanos();
    Path path = folder.path();
    JavaSandbox sandbox = new JavaSandbox(path.resolve("children"), new Spawner(), ticker);
    BlobCache cache = new BlobCache(path.resolve("cache"), settings.cacheBytes(), blobs, clock);
    this.microUnitsPerSecond =
        settings.microUnitsPerSecond() > 0
            ? settings.microUnitsPerSecond()
            : new Speed(path, clock).microUnitsPerSecond(sandbox);
    this.presence = new Presence(space, settings, owner, microUnitsPerSecond, ticker);
    SeenBundles seen = new SeenBundles(path.resolve("seen-programs"));
    TrustedPrograms programs = new TrustedPrograms(space, settings.signers(), seen, ticker);
    this.contracts = new Contracts(space, settings.launcherId(), settings.slots(), programs);
    this.notices = new Notices(space, settings.launcherId(), ticker);
    this.attempts = new Attempts(space, settings.launcherId());
    Checkpoints checkpoints = new Checkpoints(space, blobs, settings.launcherId());
    Results results = new Results(blobs, settings.launcherId(), microUnitsPerSecond, signer);
    for (int i = 0; i < settings.slots(); i++) {
      TaskRunner runner =
          new TaskRunner(sandbox, cache, path.resolve("slot-" + i + ".jar"), microUnitsPerSecond);
      slots.add(
          new Slot(i, space, runner, heartbeat, attempts, checkpoints, results, tally, ticker));
      slotThreads.add(new Thread(slots.get(i), "slot-" + i));
    }
    this.watcher = new Thread(this::watch, "watcher");
    this.market = new Thread(this::trade, "market");
  }

  /** Starts a launcher without a certificate, which signs nothing. */
  static Launcher start(
      LauncherSettings settings, TupleSpace space, BlobStore blobs, String owner) {
    return start(settings, space, blobs, owner, ResultSigner.NONE);
  }

  /**
   * Starts a launcher in the space {@code market}; it measures the machine first if that was not
   * done within a week, which takes about a second.
   *
   * @param owner who lends the machine and earns
   * @param signer signs its results
   * @throws LauncherException if its folder cannot be used or the machine not be measured
   */
  public static Launcher start(
      LauncherSettings settings,
      TupleSpace space,
      BlobStore blobs,
      String owner,
      ResultSigner signer) {
    return start(
        settings,
        space,
        blobs,
        owner,
        signer,
        Sensors.ofMachine(settings.dataFolder(), InstantSource.system(), Ticker.system()));
  }

  /** Starts a launcher without a certificate, with sensors of one's own. */
  static Launcher start(
      LauncherSettings settings, TupleSpace space, BlobStore blobs, String owner, Sensors sensors) {
    return start(settings, space, blobs, owner, ResultSigner.NONE, sensors);
  }

  private static Launcher start(
      LauncherSettings settings,
      TupleSpace space,
      BlobStore blobs,
      String owner,
      ResultSigner signer,
      Sensors sensors) {
    DataFolder folder = DataFolder.lock(settings.dataFolder());
    try {
      Launcher launcher = new Launcher(settings, space, blobs, owner, signer, folder, sensors);
      launcher.slotThreads.forEach(Thread::start);
      launcher.watcher.start();
      launcher.market.start();
      LOG.info(
          "launcher {} of {}: {} slots of {} units/s",
          settings.launcherId(),
          owner,
          settings.slots(),
          launcher.microUnitsPerSecond / 1e6);
      return launcher;
    } catch (IOException e) {
      closeQuietly(folder);
      throw new LauncherException(
          LauncherException.Code.DATA_FOLDER, "the launcher could not start: " + e.getMessage(), e);
    }
  }

  public LauncherState state() {
    return standing.state();
  }

  /** The one reason for what it does, with its numbers. */
  public String explain() {
    return standing.explanation();
  }

  public LauncherStatus status() {
    Standing now = standing;
    return new LauncherStatus(
        settings.launcherId(),
        owner,
        now.state().name(),
        now.explanation(),
        force.profile() + ", " + force.why(),
        notices.told(),
        settings.slots(),
        slots.stream().flatMap(slot -> slot.holding().stream()).toList(),
        tally.completed(),
        tally.failed(),
        tally.refused(),
        tally.microUnits(),
        microUnitsPerSecond,
        settings.reserveMicrosPerUnit());
  }

  /** Whether the market has been silent for so long that only a new connection can help. */
  public boolean lost() {
    return ticker.nanos() - heardNanos > 2 * SILENCE_NANOS;
  }

  @Override
  public void pause() {
    wishes.say(Wish.Kind.PAUSE);
    look();
  }

  @Override
  public void resume() {
    wishes.say(Wish.Kind.NONE);
    look();
  }

  @Override
  public void snooze(Duration time) {
    wishes.say(Wish.Kind.PAUSE, time);
    look();
  }

  @Override
  public void finishThenPause() {
    wishes.say(Wish.Kind.FINISH);
    look();
  }

  @Override
  public void runNow(Duration time) {
    wishes.say(Wish.Kind.RUN_NOW, time);
    look();
  }

  @Override
  public void profile(Optional<String> name) {
    name.ifPresent(settings.policy()::named);
    wishes.choose(name);
    look();
  }

  /** Gives everything back and ends; takes at most about three seconds. */
  @Override
  public void close() {
    if (stopping) {
      return;
    }
    stopping = true;
    look();
    slots.forEach(Slot::close);
    join(slotThreads, CLOSE_MILLIS);
    slotThreads.forEach(Thread::interrupt);
    watcher.interrupt();
    market.interrupt();
    join(List.of(watcher, market), CLOSE_MILLIS);
    presence.leave();
    heartbeat.close();
    attempts.close();
    sensors.close();
    closeQuietly(folder);
    LOG.info(
        "launcher {} ended: {} tasks completed, {} failed, {} refused",
        settings.launcherId(),
        tally.completed(),
        tally.failed(),
        tally.refused());
  }

  private static void closeQuietly(DataFolder folder) {
    try {
      folder.close();
    } catch (IOException e) {
      LOG.warn("the lock of {} was not released: {}", folder.path(), e.toString());
    }
  }

  private static void join(List<Thread> threads, long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Watches the owner. */
  private void watch() {
    while (!stopping) {
      look();
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(standing.state().offers() ? LOOK_MILLIS : CALM_MILLIS));
    }
  }

  private synchronized void look() {
    Standing before = standing;
    Observations seen = sensors.observe(before.state().works());
    int running = (int) slots.stream().filter(slot -> !slot.idle()).count();
    boolean connected = ticker.nanos() - heardNanos < SILENCE_NANOS;
    force = force();
    Standing after =
        PolicyMachine.decide(
            force,
            before,
            seen,
            new Circumstances(true, connected, wishes.wish(), stopping, running),
            ticker.nanos());
    standing = after;
    if (after.state() != before.state()) {
      apply(after);
      LOG.info("{} -> {}: {}", before.state(), after.state(), after.explanation());
    }
  }

  /** The profile that the owner chose, if it is still there, else that of the week. */
  private InForce force() {
    OwnerPolicy policy = settings.policy();
    return wishes
        .profile()
        .filter(policy.profiles()::containsKey)
        .map(policy::named)
        .orElseGet(
            () -> policy.at(LocalDateTime.ofInstant(clock.instant(), ZoneId.systemDefault())));
  }

  private void apply(Standing now) {
    for (Slot slot : slots) {
      if (now.state().works() && !stopping) {
        slot.resume();
      } else if (now.state().keepsTasks() && !stopping) {
        slot.suspend();
      } else {
        slot.giveBack(now.explanation());
      }
    }
  }

  /** Speaks with the market. */
  private void trade() {
    boolean cleared = false;
    while (!stopping) {
      try {
        if (!cleared) {
          presence.clear();
          cleared = true;
        }
        LauncherState state = standing.state();
        presence.offer(state.offers(), contracts.refusedPrograms());
        notices.look();
        presence.tell(status());
        if (state.offers() || state == LauncherState.SUSPENDED) {
          contracts.assign(slots);
        } else {
          slots.forEach(slot -> slot.assign(null));
        }
        heardNanos = ticker.nanos();
        TimeUnit.MILLISECONDS.sleep(state.keepsTasks() ? MARKET_MILLIS : CALM_MILLIS);
      } catch (InterruptedException e) {
        return; // the launcher ends
      } catch (IOException | TransactionException | UnusableEntryException | RuntimeException e) {
        LOG.info("the market did not answer: {}", e.toString());
        try {
          TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
        } catch (InterruptedException ended) {
          return;
        }
      }
    }
  }
}
