package io.gleaner.space;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.config.ConfigAccessor;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ServiceConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationservice.OperationService;
import io.gleaner.leasing.Deadlines;
import io.gleaner.leasing.Ticker;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Cell;
import io.gleaner.space.core.CellKey;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Outbox;
import io.gleaner.space.core.Routing;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space of a node: each cell of the core lives in one partition of an embedded Hazelcast member
 * and is touched by that partition's thread only. Safe for all threads.
 *
 * <p>One member, in memory: replicas, migration and storage host the same cells later.
 */
public final class HazelcastSpace implements SpaceEngine {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastSpace.class);
  private static final String SERVICE = "gleaner:space";

  private final HazelcastInstance member;
  private final OperationService partitions;
  private final Ticker ticker = Ticker.system();
  private final Cell[] cells;
  private final AtomicLongArray timers;
  private final ScheduledFuture<?>[] alarms;
  private final ScheduledThreadPoolExecutor alarm;
  private final Map<Long, Consumer<SpaceEvent>> listeners = new ConcurrentHashMap<>();
  private final Map<Long, CompletableFuture<?>> pending = new ConcurrentHashMap<>();
  private final AtomicLong questions = new AtomicLong();
  private final AtomicInteger nextHome = new AtomicInteger();
  private final Outbox outbox = new Delivery();
  private volatile boolean closed;

  /** Who waits for an answer: the future that hears it. */
  private record Waiting<T>(CompletableFuture<T> answer) implements Caller {}

  /** Hazelcast's door to the partition threads. */
  private static final class Door implements ManagedService {
    private volatile NodeEngine engine;

    @Override
    public void init(NodeEngine nodeEngine, Properties properties) {
      engine = nodeEngine;
    }

    @Override
    public void reset() {}

    @Override
    public void shutdown(boolean terminate) {}
  }

  private HazelcastSpace(SpaceSettings settings) {
    Door door = new Door();
    this.member = Hazelcast.newHazelcastInstance(config(settings, door));
    this.partitions = door.engine.getOperationService();
    this.cells = new Cell[settings.partitions()];
    this.timers = new AtomicLongArray(settings.partitions());
    this.alarms = new ScheduledFuture<?>[settings.partitions()];
    SecureRandom random = new SecureRandom();
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new Cell(i, cells.length, CellKey.random(random), settings.limits());
      timers.set(i, Deadlines.NEVER);
    }
    this.alarm =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "space-alarm");
              thread.setDaemon(true);
              return thread;
            });
    alarm.setRemoveOnCancelPolicy(true);
  }

  /** Starts an embedded member with the space in it. */
  public static HazelcastSpace start(SpaceSettings settings) {
    HazelcastSpace space = new HazelcastSpace(settings);
    space.member.getCluster().addMembershipListener(space.new Alone());
    LOG.info("space has {} cells", space.cells.length);
    return space;
  }

  /**
   * Cells do not move yet: with a second member, operations would reach cells that are not there.
   */
  private final class Alone implements MembershipListener {
    @Override
    public void memberAdded(MembershipEvent event) {
      LOG.error(
          "a second member, {}, joined the space, which can only have one yet; the space closes so"
              + " that nothing is lost unseen; start this node alone",
          event.getMember());
      Thread closing = new Thread(HazelcastSpace.this::close, "space-closing");
      closing.start();
    }

    @Override
    public void memberRemoved(MembershipEvent event) {}
  }

  private static Config config(SpaceSettings settings, Door door) {
    Config config = new Config();
    // A name that nobody else knows: no other member finds its way in.
    config.setClusterName("gleaner-" + UUID.randomUUID());
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.partition.count", Integer.toString(settings.partitions()));
    config.setProperty(
        "hazelcast.operation.thread.count", Integer.toString(settings.partitionThreads()));
    config.getMetricsConfig().setEnabled(false);
    config.getJetConfig().setEnabled(false);
    config.getNetworkConfig().setPort(0).setPortAutoIncrement(false).setReuseAddress(true);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(settings.memberHost());
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(false);
    ConfigAccessor.getServicesConfig(config)
        .addServiceConfig(
            new ServiceConfig().setEnabled(true).setName(SERVICE).setImplementation(door));
    return config;
  }

  @Override
  public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
    CompletableFuture<Long> opened = new CompletableFuture<>();
    Opening opening = new Opening(opened, events);
    int home = Math.floorMod(nextHome.getAndIncrement(), cells.length);
    return ask(opened, home, new Message.Open(opening, holder));
  }

  /** Somebody who waits for a session, and where its events go. */
  private record Opening(CompletableFuture<Long> answer, Consumer<SpaceEvent> events)
      implements Caller {}

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    int home = Routing.home(session, command, cells.length);
    return ask(
        answer,
        home,
        new Message.Request(new Waiting<>(answer), session, sequence, lowestUnanswered, command));
  }

  @Override
  public CompletableFuture<Void> close(long session) {
    listeners.remove(session);
    CompletableFuture<Void> answer = new CompletableFuture<>();
    return ask(
        answer,
        Routing.homeOf(session, cells.length),
        new Message.Close(new Waiting<>(answer), session));
  }

  private <T> CompletableFuture<T> ask(CompletableFuture<T> answer, int cell, Message message) {
    long question = questions.incrementAndGet();
    pending.put(question, answer);
    if (closed) {
      answer.completeExceptionally(closedException());
    } else {
      deliver(cell, message);
    }
    return answer.whenComplete((value, failure) -> pending.remove(question));
  }

  private void deliver(int cell, Message message) {
    partitions.execute(new Step(cell, message));
  }

  /** One step of one cell, on its partition's thread; without a message it does what is due. */
  private final class Step implements PartitionSpecificRunnable {
    private final int cell;
    private final Message message;

    Step(int cell, Message message) {
      this.cell = cell;
      this.message = message;
    }

    @Override
    public int getPartitionId() {
      return cell;
    }

    @Override
    public void run() {
      long now = ticker.nanos();
      try {
        if (message == null) {
          timers.set(cell, Deadlines.NEVER);
        } else {
          cells[cell].deliver(message, now, outbox);
        }
        cells[cell].wakeUp(now, outbox);
      } catch (RuntimeException e) {
        LOG.error("cell {} failed on {}", cell, message, e);
      }
      setAlarm(cell, cells[cell].nextDeadline(), now);
    }
  }

  private void setAlarm(int cell, long due, long now) {
    if (due < timers.get(cell) && !closed) {
      timers.set(cell, due);
      // One alarm a cell: each that was left would set the next one again, and there would be more
      // and more of them.
      if (alarms[cell] != null) {
        alarms[cell].cancel(false);
      }
      alarms[cell] =
          alarm.schedule(
              () -> partitions.execute(new Step(cell, null)),
              Math.max(0, due - now),
              TimeUnit.NANOSECONDS);
    }
  }

  /** Alarms that are set, at most one for each cell. */
  int alarms() {
    return alarm.getQueue().size();
  }

  /** What cells say to each other and to those who wait. */
  private final class Delivery implements Outbox {
    @Override
    public void send(int cell, Message message) {
      deliver(cell, message);
    }

    @Override
    @SuppressWarnings("unchecked") // requests come with a future of their reply, see execute
    public void answer(Caller caller, Reply reply) {
      ((Waiting<Reply>) caller).answer().complete(reply);
    }

    @Override
    public void opened(Caller caller, long session) {
      Opening opening = (Opening) caller;
      listeners.put(session, opening.events());
      opening.answer().complete(session);
    }

    @Override
    public void closed(Caller caller) {
      ((Waiting<?>) caller).answer().complete(null);
    }

    @Override
    public void event(long session, SpaceEvent event) {
      Consumer<SpaceEvent> listener = listeners.get(session);
      if (listener != null) {
        try {
          listener.accept(event);
        } catch (RuntimeException e) {
          LOG.warn("an event of session {} was dropped", session, e);
        }
      }
    }
  }

  /** Ends the member; whoever still waits is told. */
  @Override
  public void close() {
    closed = true;
    alarm.shutdownNow();
    member.getLifecycleService().terminate();
    pending.values().forEach(answer -> answer.completeExceptionally(closedException()));
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the space is closed");
  }
}
