package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import com.hazelcast.spi.impl.NodeEngine;
import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.core.AnswerCodec;
import io.gleaner.space.core.BucketKey;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.CellKey;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.Message;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All cells of the space as this member sees them. Safe for all threads. */
final class Cells {
  private static final Logger LOG = LoggerFactory.getLogger(Cells.class);
  private static final long SWEEP_MILLIS = 200;
  private static final int DURABLE = 16;
  private static final int MOST_HELD = 100;
  private static final Duration LAST_IMAGES = Duration.ofSeconds(5);

  /** How long a member may be silent before the others go on without it. */
  static final int SILENCE_SECONDS = 10;

  private final SpaceSettings settings;
  private final Hosting hosting;
  private final Callers callers;
  private final Hints hints = new Hints();
  private final Renewals renewals;
  private final Claims claims;
  private final StorageWatch storage;
  private final CellHost[] hosts;
  private volatile int lost;
  private long sweptNanos;

  Cells(NodeEngine engine, SpaceSettings settings, Keeping keeping, Ticker ticker) {
    this.settings = settings;
    Roster roster = new Roster(engine, settings.member().backups());
    Post post = new Post(engine.getOperationService());
    this.callers = new Callers(roster, ticker, settings.storagePatience());
    this.renewals = new Renewals(settings.partitions(), ticker);
    Outlet outlet =
        new Outlet(roster, post, callers, hints, (cell, message) -> host(cell).arrive(message));
    callers.sendThrough(outlet);
    this.claims = new Claims(keeping, roster, ticker, this::host);
    this.storage = new StorageWatch(keeping, claims, ticker);
    this.hosting =
        new Hosting(
            engine.getOperationService(),
            roster,
            post,
            outlet,
            new Browsing(callers, outlet),
            new Alarms(),
            keeping,
            claims,
            ticker,
            this::lossMessage);
    this.hosts =
        IntStream.range(0, settings.partitions())
            .mapToObj(cell -> new CellHost(cell, hosting))
            .toArray(CellHost[]::new);
  }

  /** Begins a space: all cells are here, empty or as they were kept. */
  void found() {
    List<Restored> kept = hosting.keeping().restore(roster().self());
    if (kept.isEmpty()) {
      SecureRandom random = new SecureRandom();
      List<Cell> founded =
          IntStream.range(0, hosts.length)
              .mapToObj(i -> new Cell(i, hosts.length, CellKey.random(random), settings.limits()))
              .toList();
      hosting.keeping().found(founded);
      if (hosting.keeping().isDurable()) {
        restart(founded.stream().map(cell -> new Restored(cell, Duration.ZERO)).toList());
      } else {
        for (int i = 0; i < hosts.length; i++) {
          hosts[i].found(founded.get(i));
        }
      }
    } else {
      restart(kept);
    }
  }

  private void restart(List<Restored> cells) {
    for (int i = 0; i < hosts.length; i++) {
      Restored each = cells.get(i);
      hosts[i].restart(each.cell(), new Input.Restart(settings.limits(), each.away().toMillis()));
    }
  }

  /**
   * This member belongs to the space of the oldest one that it sees.
   *
   * @throws io.gleaner.storage.StorageException if that one keeps its cells elsewhere
   */
  void join() {
    hosting.keeping().join(roster().self(), roster().oldest());
  }

  /**
   * Begins to look again and again after what was not answered, acknowledged, or is lost.
   *
   * @param frozen is run if this member stood still for so long that others go on without it
   * @param deposed is run if somebody else has taken what this member keeps
   */
  void begin(Runnable frozen, Runnable deposed) {
    hosting.keeping().whenDeposed(deposed);
    hosting.keeping().imagesFrom(this::imageWanted);
    for (CellHost host : hosts) {
      host.begin();
    }
    if (isDurable()) {
      claims.begin(deposed);
    }
    sweptNanos = hosting.ticker().nanos();
    hosting.alarms().every(SWEEP_MILLIS, () -> sweep(frozen));
  }

  private void sweep(Runnable frozen) {
    try {
      long now = hosting.ticker().nanos();
      if (now - sweptNanos > SILENCE_SECONDS * 1_000_000_000L && !roster().isAlone()) {
        frozen.run();
      }
      sweptNanos = now;
      callers.sweep();
      callers.giveUp(storage.silentNanos());
      renewals.sweep(hosting.outlet()::send);
      for (int i = 0; i < hosts.length; i++) {
        if (hosts[i].withholds()) {
          hosts[i].turn().later(hosts[i]::check);
        }
      }
      countLost();
    } catch (RuntimeException e) {
      LOG.error("a sweep of the space failed; the next one tries again", e);
    }
  }

  private void countLost() {
    if (isDurable()) {
      claims.lookRound();
      for (int i = 0; i < hosts.length; i++) {
        if (hosts[i].isLost()) {
          claims.want(i);
        }
      }
      return;
    }
    int now = 0;
    for (CellHost host : hosts) {
      if (host.isLost()) {
        now++;
      }
    }
    if (now > lost) {
      LOG.error("{}", lossMessage(now));
    }
    lost = now;
    if (lost > 0) {
      callers.giveUpLost(lossMessage());
    }
  }

  private String lossMessage() {
    return lossMessage(Math.max(1, lost));
  }

  private String lossMessage(int count) {
    return "the entries of "
        + count
        + " of "
        + hosts.length
        + " cells of the space are lost: their owner and their replica ended at the same time;"
        + " nothing in them is served; end all members and start the space anew";
  }

  /** Cells that this member should have and that nobody has. */
  int lost() {
    return lost;
  }

  void hear(int cell, Address from, Word word) {
    CellHost host = host(cell);
    if (word instanceof Word.Delivered w) {
      host.arrive(Outlet.read(from, w));
    } else if (word instanceof Word.Inputs w) {
      host.turn().now(() -> host.repeat(from, w));
    } else if (word instanceof Word.Applied w) {
      host.turn().now(() -> host.replicated(from, w.number()));
    } else if (word instanceof Word.WantImage) {
      host.turn().now(() -> host.sendImage(from));
    } else if (word instanceof Word.Chunk w) {
      host.turn().now(() -> host.repair(from, w));
    } else if (word instanceof Word.Answered w) {
      callers.answered(w.question(), AnswerCodec.decodeReply(w.reply()));
    } else if (word instanceof Word.Opened w) {
      callers.opened(w.question(), new Opened(w.session(), w.leaseMillis()));
    } else if (word instanceof Word.Closed w) {
      callers.closed(w.question());
    } else if (word instanceof Word.Hinted w) {
      var unused = hints.hear(w.session(), AnswerCodec.decodeEvent(w.event()));
    }
  }

  /**
   * Which of the digests the entries of all cells name, wherever those are: one after the other.
   */
  CompletableFuture<Set<String>> named(Set<String> digests) {
    String[] asked = digests.toArray(String[]::new);
    CompletableFuture<Set<String>> all = CompletableFuture.completedFuture(Set.of());
    for (int cell = 0; cell < hosts.length; cell++) {
      int next = cell;
      all =
          all.thenCompose(
              before ->
                  hosting
                      .partitions()
                      .<String[]>invokeOnPartitionAsync(
                          SpaceService.NAME, new AskNamed(asked), next)
                      .thenApply(found -> with(before, found)));
    }
    return all;
  }

  /** What a transaction took of the entries that match the template. */
  CompletableFuture<List<EncodedEntry>> taken(
      String space, long transaction, EncodedEntry template) {
    BucketKey bucket = BucketKey.of(space, template);
    return callers
        .<Reply>ask(
            bucket.cell(hosts.length),
            asker -> new Message.Look(asker, bucket, List.of(template), 0, MOST_HELD, transaction))
        .thenApply(
            reply -> {
              if (reply instanceof Reply.Listed listed) {
                return listed.entries();
              }
              throw new IllegalStateException("the space could not look: " + reply);
            });
  }

  private static Set<String> with(Set<String> before, String[] more) {
    Set<String> both = new HashSet<>(before);
    both.addAll(List.of(more));
    return both;
  }

  /** What all members have to agree on: replicas of each cell, and whether the space is durable. */
  int kind() {
    return settings.member().backups() + (isDurable() ? DURABLE : 0);
  }

  static String describe(int kind) {
    return kind % DURABLE
        + " replicas of each cell and a space that is "
        + (kind >= DURABLE ? "durable" : "not durable");
  }

  int count() {
    return hosts.length;
  }

  boolean isDurable() {
    return hosting.keeping().isDurable();
  }

  /**
   * Whether no cell is on its way, each has the replica that it should have, and this member those
   * that it should own.
   */
  boolean isSettled() {
    for (int i = 0; i < hosts.length; i++) {
      if (!roster().isSettled(i) || (isDurable() && hosts[i].isLost())) {
        return false;
      }
    }
    return true;
  }

  CellHost host(int cell) {
    return hosts[cell];
  }

  Roster roster() {
    return hosting.roster();
  }

  Callers callers() {
    return callers;
  }

  Hints hints() {
    return hints;
  }

  Renewals renewals() {
    return renewals;
  }

  Alarms alarms() {
    return hosting.alarms();
  }

  void dropAll() {
    for (CellHost host : hosts) {
      host.turn().now(host::drop);
    }
  }

  /** Waits until everything is safe that cells of this member have said so far. */
  void awaitKept() {
    await(hosting.keeping().allSoFar(), "cells cannot move: what they did last is not kept");
  }

  /** Waits until the cell is not being claimed, if it is. */
  void awaitClaim(int cell) {
    AtomicReference<CompletableFuture<Void>> over = new AtomicReference<>();
    hosts[cell].turn().now(() -> over.set(hosts[cell].claimOver()));
    await(over.get(), "a cell cannot move: it is being claimed");
  }

  private static void await(CompletableFuture<Void> done, String otherwise) {
    try {
      done.get(SILENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a cell was to move", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(otherwise, e);
    }
  }

  /** Keeps images so that little is repeated at the next start, for some seconds at most. */
  void keepImages() {
    new LastImages(LAST_IMAGES, hosting.ticker())
        .keep(hosting.keeping().slowToRepeat(), this::imageOf);
  }

  private void imageWanted(int cell) {
    var unused = imageOf(cell);
  }

  private CompletableFuture<Void> imageOf(int cell) {
    CellHost host = hosts[cell];
    return CompletableFuture.<Void>completedFuture(null)
        .thenComposeAsync(now -> host.keepImage(), host.turn()::later);
  }

  /** This member has left in order. */
  void leave() {
    hosting.keeping().leave(roster().self());
  }

  void close() {
    claims.close();
    hosting.alarms().close();
    hosting.keeping().close();
    callers.failAll(Cells::closed);
  }

  static IllegalStateException closed() {
    return new IllegalStateException("the space is closed");
  }
}
