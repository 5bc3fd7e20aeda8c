package io.gleaner.gateway;

import io.gleaner.authority.PoolRole;
import io.gleaner.blob.UserBlobs;
import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.identity.Permissions;
import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Strangers;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.NodeEngine;
import io.gleaner.tls.LoopbackOnly;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port by which launchers and applications reach the space and the blobs (D2, D13). Safe for
 * all threads; {@link #start} and {@link #close} wait and are not for an event loop.
 */
public final class GatewayServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayServer.class);
  private static final long START_MILLIS = 10_000;
  private static final long STOP_MILLIS = 2000;
  private static final long SWEEP_MILLIS = 1000;
  private static final int WRITES_AT_A_TIME = 8;
  private static final int READS_AT_A_TIME = 4;
  private static final int LOOK_UPS_AT_A_TIME = 4;
  private static final int JOINS_AT_A_TIME = 2;

  private final Vertx vertx;
  private final GatewaySettings settings;
  private final NetServer server;
  private final Links links;
  private final Strangers<ServerConnection> strangers;
  private final MarketContracts contracts;
  private final List<WorkerExecutor> executors;
  private final long sweeper;
  private final ServerConnection.Surroundings around;
  private volatile boolean closing;

  private GatewayServer(
      Vertx vertx,
      GatewaySettings settings,
      NodeEngine engine,
      UserBlobs blobs,
      Entrance entrance,
      Holding.Total held) {
    this.vertx = vertx;
    this.settings = settings;
    WorkerExecutor writers =
        vertx.createSharedWorkerExecutor(
            "gleaner-blob-writes", WRITES_AT_A_TIME, 1, TimeUnit.HOURS);
    WorkerExecutor readers =
        vertx.createSharedWorkerExecutor("gleaner-blob-reads", READS_AT_A_TIME);
    WorkerExecutor lookers =
        vertx.createSharedWorkerExecutor("gleaner-contracts", LOOK_UPS_AT_A_TIME);
    WorkerExecutor joins = vertx.createSharedWorkerExecutor("gleaner-joins", JOINS_AT_A_TIME);
    this.executors = List.of(writers, readers, lookers, joins);
    this.contracts = new MarketContracts(engine);
    Ticker ticker = Ticker.system();
    long patienceMillis = settings.lease().plus(settings.patience()).toMillis();
    this.links =
        new Links(
            engine,
            settings,
            ticker,
            new BlobDesk(
                blobs,
                turns(writers, WRITES_AT_A_TIME),
                turns(readers, READS_AT_A_TIME),
                settings.blobBytes(),
                patienceMillis / SWEEP_MILLIS),
            desk(lookers, engine),
            held);
    this.strangers = new Strangers<>("the gateway", settings.strangers(), ticker::nanos);
    this.around =
        new ServerConnection.Surroundings(
            vertx,
            settings,
            ticker,
            desk(vertx, entrance),
            entrance instanceof Entrance.ByCertificate shown
                ? Optional.of(shown)
                : Optional.empty(),
            new MemberDesk(joins),
            links,
            strangers,
            new HelloThrottle(ticker));
    this.server =
        vertx
            .createNetServer(options(entrance, settings))
            .connectHandler(
                socket -> {
                  if (closing) {
                    socket.close();
                  } else {
                    new ServerConnection(
                            around,
                            new SocketChannel(socket),
                            around.entrance().flatMap(known -> Visitor.at(socket, known)),
                            vertx.getOrCreateContext())
                        .begin();
                  }
                });
    around
        .entrance()
        .ifPresent(known -> known.revocations().onChange(changes -> tellRevokedNodes(known)));
    this.sweeper = vertx.setPeriodic(SWEEP_MILLIS, t -> links.sweep());
  }

  private void tellRevokedNodes(Entrance.ByCertificate known) {
    Frames.revokedNodes(known.revocations())
        .ifPresent(frame -> links.all().forEach(link -> link.send(frame)));
  }

  private static Turns turns(WorkerExecutor threads, int atATime) {
    return new Turns(
        task -> {
          var unused =
              threads.executeBlocking(
                  () -> {
                    task.run();
                    return task;
                  },
                  false);
        },
        atATime);
  }

  private static TokenDesk desk(Vertx vertx, Entrance entrance) {
    return token ->
        vertx.executeBlocking(
            () ->
                entrance instanceof Entrance.ByToken by
                    ? by.tokens().check(token)
                    : Optional.<JoinGrant>empty(),
            false);
  }

  private static NetServerOptions options(Entrance entrance, GatewaySettings settings) {
    NetServerOptions options = new NetServerOptions().setTcpNoDelay(true).setAcceptBacklog(1024);
    if (entrance instanceof Entrance.ByCertificate shown) {
      ServerTls.useMutual(options, shown, settings.strangers());
    }
    return options;
  }

  private MarketDesk desk(WorkerExecutor lookers, NodeEngine engine) {
    return new MarketDesk() {
      @Override
      public CompletableFuture<List<EncodedEntry>> contractsOf(String device) {
        return lookers
            .executeBlocking(() -> contracts.of(device), false)
            .toCompletionStage()
            .toCompletableFuture();
      }

      @Override
      public CompletableFuture<Integer> countOf(String kind, String device, int most) {
        return lookers
            .executeBlocking(
                () -> contracts.count(MarketTypes.ofLauncher(kind, device), most), false)
            .toCompletionStage()
            .toCompletableFuture();
      }

      @Override
      public CompletableFuture<List<EncodedEntry>> taken(long transaction, EncodedEntry template) {
        return engine.taken(Permissions.MARKET_SPACE, transaction, template);
      }
    };
  }

  /**
   * Listens.
   *
   * @param entrance by what it lets clients in
   * @throws io.gleaner.secrets.SecurityRefusal if tokens are shown and the host is not loopback
   * @throws GatewayException if the port cannot be had
   */
  public static GatewayServer start(
      Vertx vertx,
      GatewaySettings settings,
      NodeEngine engine,
      UserBlobs blobs,
      Entrance entrance) {
    return start(vertx, settings, engine, blobs, entrance, Holding.Total.ofHeap(settings));
  }

  /** As above, and connections have it hold no more than that. */
  static GatewayServer start(
      Vertx vertx,
      GatewaySettings settings,
      NodeEngine engine,
      UserBlobs blobs,
      Entrance entrance,
      Holding.Total held) {
    String host =
        entrance instanceof Entrance.ByToken
            ? LoopbackOnly.check(settings.host()).getHostAddress()
            : settings.host();
    GatewayServer gateway = new GatewayServer(vertx, settings, engine, blobs, entrance, held);
    try {
      await(gateway.server.listen(settings.port(), host), START_MILLIS);
      LOG.info("gateway listens on {}:{}", host, gateway.port());
      return gateway;
    } catch (ExecutionException | TimeoutException e) {
      gateway.release();
      throw new GatewayException(
          Code.CANNOT_LISTEN,
          "the gateway cannot listen on "
              + host
              + ":"
              + settings.port()
              + " ("
              + (e.getCause() == null ? "no answer in time" : e.getCause().getMessage())
              + "); choose another port, or 0 for a free one",
          e);
    }
  }

  /**
   * Goes on with a browser as with who came by the port. Call it on the context of the WebSocket,
   * which was paused before.
   *
   * @param proven the certificate whose key the browser has shown to have
   * @param closed is called when the WebSocket has ended
   */
  public void welcome(ServerWebSocket socket, X509Certificate proven, Runnable closed) {
    Optional<Visitor> visitor =
        around
            .entrance()
            .flatMap(known -> Visitor.of(proven, known))
            .filter(known -> known.identity().role() == PoolRole.BROWSER);
    if (closing || visitor.isEmpty()) {
      socket.closeHandler(v -> closed.run());
      socket.resume();
      socket.close();
      return;
    }
    new ServerConnection(
            around, new BrowserChannel(socket, closed), visitor, vertx.getOrCreateContext())
        .begin();
    socket.resume();
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Clients that are connected or may come back. */
  public int clients() {
    return links.all().size();
  }

  /** Connections that were not welcomed yet. */
  public int strangers() {
    return strangers.count();
  }

  /** Operations that clients were refused because nothing allows them, since the start. */
  public long refused() {
    return links.refused();
  }

  /** Bytes of frames that have not come whole and of answers that were not read. */
  long heldBytes() {
    return links.heldBytes();
  }

  /** Operations of all clients that have no answer yet. */
  public int waitingOperations() {
    return links.all().stream().mapToInt(Link::waitingOperations).sum();
  }

  /**
   * Tells all clients, answers what is under way, then closes; takes no longer than the drain time
   * and two seconds. Sessions that can go on elsewhere are left to their clients; else what waits
   * ends with nothing.
   */
  @Override
  public void close() {
    closing = true;
    vertx.cancelTimer(sweeper);
    Collection<Link> open = links.all();
    open.forEach(
        link ->
            link.send(
                Frames.server()
                    .setGoAway(Wire.GoAway.newBuilder().setReason("the node is closing"))
                    .build()));
    waitUntil(settings.drain(), () -> open.stream().allMatch(l -> l.briefOperations() == 0));
    CompletableFuture<?> ended =
        CompletableFuture.allOf(
            open.stream().map(links::endHere).toArray(CompletableFuture<?>[]::new));
    try {
      ended.get(STOP_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the clients' sessions did not end in order", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    waitUntil(
        Duration.ofMillis(STOP_MILLIS / 4),
        () ->
            open.stream()
                .allMatch(l -> l.connection().map(c -> c.backlogBytes() == 0).orElse(true)));
    open.forEach(
        link ->
            link.connection()
                .ifPresent(c -> c.fail(Wire.Error.Code.CLOSING, "the node is closing")));
    release();
    LOG.info("gateway closed, {} clients", open.size());
  }

  private void release() {
    vertx.cancelTimer(sweeper);
    try {
      await(server.close(), STOP_MILLIS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the gateway's port did not close in order", e);
    }
    contracts.close();
    executors.forEach(WorkerExecutor::close);
  }

  private static void waitUntil(Duration atMost, BooleanSupplier reached) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!reached.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static <T> T await(Future<T> future, long millis)
      throws ExecutionException, TimeoutException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException(e);
    }
  }
}
