package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceEvent;
import io.gleaner.space.SpaceSettings;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Routing;
import io.gleaner.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One member of the cluster that carries a space. Safe for all threads. */
public final class SpaceMember implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceMember.class);
  private static final long RETRY_MILLIS = 300;

  /** As long a lease as there is. */
  private static final long MOST = -1;

  private final HazelcastInstance instance;
  private final Cells cells;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean deposed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  private SpaceMember(HazelcastInstance instance, Cells cells) {
    this.instance = instance;
    this.cells = cells;
  }

  /**
   * Founds a space, or joins one.
   *
   * @throws IllegalStateException if no member of a space was found within the patience
   */
  public static SpaceMember start(SpaceSettings settings, Keeping keeping) {
    Ticker ticker = Ticker.system();
    MemberSettings member = settings.member();
    long end = ticker.nanos() + member.patience().toNanos();
    MemberGate gate = MemberGate.of(member.proof());
    while (true) {
      SpaceService service =
          new SpaceService(engine -> new Cells(engine, settings, keeping, ticker));
      if (!member.founds()) {
        gate.letIn();
      }
      Optional<HazelcastInstance> instance =
          open(MemberConfig.of(settings, service, gate, !keeping.isDurable()), gate, member);
      if (member.founds()) {
        whole(instance.orElseThrow(), service.cells()::found);
        service.cells().roster().deal();
      } else if (instance.isEmpty() || !service.hasJoinedASpace()) {
        instance.ifPresent(each -> each.getLifecycleService().terminate());
        if (ticker.nanos() - end > 0) {
          throw new IllegalStateException(
              "no member of a space answers at "
                  + member.join()
                  + "; expected one with the same cluster name and secret, or of the same pool; start"
                  + " the member that founds the space first, or correct the addresses");
        }
        pause();
        continue;
      } else {
        try {
          whole(instance.get(), service.cells()::join);
        } catch (StorageException e) {
          if (e.code() != StorageException.Code.FORMAT || ticker.nanos() - end > 0) {
            throw e;
          }
          // The one that it met may be about to close, because the others go on without it.
          LOG.warn("this member looks for others: {}", e.getMessage());
          pause();
          continue;
        }
      }
      service.setFounded();
      gate.letIn();
      return begin(instance.orElseThrow(), service.cells());
    }
  }

  /** The member itself; empty if Hazelcast gave up looking for others. */
  private static Optional<HazelcastInstance> open(
      Config config, MemberGate gate, MemberSettings member) {
    try {
      return Optional.of(
          HazelcastInstanceFactory.newHazelcastInstance(
              config, "gleaner-" + UUID.randomUUID(), new MemberNode(gate)));
    } catch (IllegalStateException e) {
      if (member.founds()) {
        throw e;
      }
      LOG.warn("this member did not get into the cluster: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** Does it, or ends the member. */
  private static void whole(HazelcastInstance instance, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      instance.getLifecycleService().terminate();
      throw e;
    }
  }

  private static SpaceMember begin(HazelcastInstance instance, Cells cells) {
    SpaceMember member = new SpaceMember(instance, cells);
    instance.getLifecycleService().addLifecycleListener(member::lifeChanged);
    cells.begin(member::wasFrozen, member::wasDeposed);
    LOG.info("member {} has joined a space of {} cells", member.address(), cells.count());
    return member;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while this member looked for others", e);
    }
  }

  /** Everything stood still here, and other members have taken over what this one had. */
  private void wasFrozen() {
    LOG.error(
        "this member stood still for more than {} s and the others go on without it; it closes so"
            + " that it does not serve what is not true any more; start it again to join them",
        Cells.SILENCE_SECONDS);
    endSoon();
  }

  /** Called for each thing that is not kept any more. */
  private void wasDeposed() {
    if (!closed.get() && deposed.compareAndSet(false, true)) {
      LOG.error(
          "this space goes on without this member: it was started at another place with the same"
              + " database, or its other members had lost this one; it closes, nothing of it is kept"
              + " any more, and what was not kept was not answered; start it again to join");
      endSoon();
    }
  }

  private void endSoon() {
    Thread closing = new Thread(() -> end(false), "space-closing");
    closing.start();
  }

  /** Two halves of a cluster have found each other again, and this one has to yield. */
  private void lifeChanged(LifecycleEvent event) {
    if (event.getState() == LifecycleState.MERGING) {
      LOG.error(
          "this member and others had lost each other, and both sides went on; the others go on"
              + " with their entries, and what was written here since then is thrown away; this"
              + " member closes, start it again to join them");
      endSoon();
    }
  }

  /** Asks the owner of a cell, through all changes of the cluster; fails when the space closes. */
  public <T> CompletableFuture<T> ask(int cell, Function<Caller, Message> question) {
    CompletableFuture<T> answer = cells.callers().ask(cell, question::apply);
    if (closed.get()) {
      cells.callers().failAll(Cells::closed);
    }
    return answer;
  }

  /**
   * Opens the session that the holder calls by that name, or finds it again, and keeps it alive
   * until it is detached.
   *
   * @param tenure counts by how many ways its client has come to hold it
   * @param begins whether to open one if there is none
   * @return its number, or 0
   */
  public CompletableFuture<Long> open(
      SessionName name, long tenure, boolean begins, Consumer<SpaceEvent> events) {
    CompletableFuture<Opened> opened =
        ask(
            Routing.homeOfName(name.number(), cells.count()),
            caller -> new Message.Open(caller, name.holder(), name.number(), MOST, tenure, begins));
    return opened.thenApply(
        grant -> {
          if (grant.session() != 0) {
            cells.renewals().hold(grant.session(), grant.leaseMillis(), tenure);
            cells.hints().attach(grant.session(), events);
          }
          return grant.session();
        });
  }

  /** Leaves a session to itself, unless it is held here by a later tenure. */
  public void leave(long session, long tenure) {
    if (cells.renewals().drop(session, tenure)) {
      cells.hints().detach(session);
    }
  }

  /** What a transaction took of the entries that match a template. */
  public CompletableFuture<List<EncodedEntry>> taken(
      String space, long transaction, EncodedEntry template) {
    return cells.taken(space, transaction, template);
  }

  /** Which of the digests the entries of the space name, those that are hidden now included. */
  public CompletableFuture<Set<String>> named(Set<String> digests) {
    return cells.named(digests);
  }

  /** Where other members find this one, as {@code host:port}. */
  public String address() {
    Address address = instance.getCluster().getLocalMember().getAddress();
    return address.getHost() + ":" + address.getPort();
  }

  /** Members of the cluster that this one sees. */
  public int members() {
    return instance.getCluster().getMembers().size();
  }

  /** Whether every cell has as many replicas as it should, and none is on its way. */
  public boolean isSettled() {
    return instance.getPartitionService().isClusterSafe() && cells.isSettled();
  }

  /** Waits until this member has ended, for whatever reason. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Cells that this member should have and that nobody has any more. */
  public int lostCells() {
    return cells.lost();
  }

  Cells cells() {
    return cells;
  }

  /** Alarms that are set, at most one for each cell. */
  public int alarms() {
    return cells.alarms().size();
  }

  /**
   * Leaves: other members, if there are any, first get what only this one has; else storage, if
   * there is any, gets images, for some seconds at most.
   */
  @Override
  public void close() {
    end(instance.getLifecycleService().isRunning());
  }

  /** Ends at once, as if the process were killed. */
  public void kill() {
    end(false);
  }

  private void end(boolean gracefully) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (gracefully && members() > 1) {
        instance.getLifecycleService().shutdown();
        cells.leave();
      } else {
        if (gracefully) {
          cells.keepImages();
        }
        instance.getLifecycleService().terminate();
      }
      cells.close();
    } finally {
      ended.countDown();
    }
  }
}
