package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.rest.BagEvents;
import io.gleaner.api.rest.RestClient;
import io.gleaner.gateway.GatewayConnection;
import io.gleaner.secrets.Secret;
import io.gleaner.signing.Digests;
import io.gleaner.space.TupleSpace;
import java.net.URI;
import java.rmi.RemoteException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A program's connection to a market: bags of tasks, an executor, and the pool's tuple spaces. Safe
 * for all threads. Closing it ends everything that was opened by it but the bags, which go on.
 *
 * <pre>{@code
 * try (Gleaner market = Gleaner.connect()) {
 *   BagOfTasks bag = market.bagOf(Square.class).range("number", 1, 1000).budget(20).submit();
 *   ...
 * }
 * }</pre>
 */
public final class Gleaner implements AutoCloseable {
  private static final long CLOSE_SECONDS = 5;

  private final Connecting settings;
  private final RestClient rest;
  private final BagEvents events;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(BagEvents.daemons("gleaner-results"));
  private final Set<String> stored = ConcurrentHashMap.newKeySet();
  private final Set<Runnable> open = ConcurrentHashMap.newKeySet();

  /** Guarded by this; opened when a space is first asked for. */
  private Optional<GatewayConnection> gateway = Optional.empty();

  /** Guarded by this. */
  private boolean closed;

  Gleaner(Connecting settings, RestClient rest) {
    this.settings = settings;
    this.rest = rest;
    this.events = new BagEvents(rest);
  }

  /**
   * Connects to the node that runs in this user's folder, or to the one that {@code GLEANER_URL}
   * and {@code GLEANER_API_TOKEN} name.
   *
   * @throws GleanerException if there is none, it does not answer or refuses the token
   */
  public static Gleaner connect() {
    return Connecting.fromSurroundings().connect();
  }

  /**
   * Connects to the console at the address.
   *
   * @param token an API token of a user with the role of a submitter
   * @throws GleanerException if it does not answer or refuses the token
   */
  public static Gleaner connect(URI console, Secret token) {
    return to(console, token).connect();
  }

  /**
   * Connects to the market at the address.
   *
   * @param address URL of a console, or a lookup service that knows the pool: {@code
   *     jini://host[:port]}, or {@code jini:group@interface} for one that answers on that network
   *     interface. Whoever asks a lookup service reads marshalled objects under an allow-list,
   *     which holds for the whole program from then on, see docs/jini.md
   * @param token an API token of a user with the role of a submitter
   * @throws GleanerException if it does not answer or refuses the token
   * @throws io.gleaner.gateway.GatewayException if no lookup service knows a pool
   */
  public static Gleaner connect(String address, Secret token) {
    return to(address, token).connect();
  }

  /**
   * As {@link #connect(String, Secret)}, with the token of {@code GLEANER_API_TOKEN}.
   *
   * @throws GleanerException if it is not set, too
   */
  public static Gleaner connect(String address) {
    return connect(address, Connecting.tokenOfSurroundings());
  }

  /**
   * As {@link #connect(String, Secret)}, with more settings; ends with {@link Connecting#connect}.
   */
  public static Connecting to(String address, Secret token) {
    return Connecting.at(address, token);
  }

  /** Connects with more settings; ends with {@link Connecting#connect}. */
  public static Connecting to(URI console, Secret token) {
    return Connecting.to(console, token);
  }

  /** Begins a bag whose tasks run the class, which is shipped with all that it uses. */
  public BagBuilder bagOf(Class<? extends Task> task) {
    return new BagBuilder(this, task.getSimpleName(), Bundle.of(task), task.getName());
  }

  /**
   * Begins a bag of a program.
   *
   * @param name what people call the bag
   * @param entryPoint class in the bundle that implements {@link Task}
   */
  public BagBuilder bag(String name, Bundle bundle, String entryPoint) {
    return new BagBuilder(this, name, bundle, entryPoint);
  }

  /** A bag that was submitted before, here or elsewhere. */
  public BagOfTasks bag(String id) {
    return new BagOfTasks(this, id);
  }

  /** Begins an executor. */
  public ExecutorBuilder executor() {
    return new ExecutorBuilder(this);
  }

  /** The name of the user on whose behalf this program acts. */
  public String user() {
    return rest.get("/api/v1/account?limit=1").path("user").asString("");
  }

  /** What the user may still put into bags, in micro-credits. */
  public long balanceMicros() {
    return rest.get("/api/v1/account?limit=1").path("balanceMicros").asLong();
  }

  /**
   * Opens one of the pool's named spaces; the caller closes it. It needs an application's
   * certificate, see {@link Connecting#gateway}.
   *
   * @throws io.gleaner.gateway.GatewayException if the gateway does not answer or refuses the
   *     program
   */
  public TupleSpace space(String name) throws RemoteException {
    return gatewayConnection().space(name);
  }

  private synchronized GatewayConnection gatewayConnection() {
    if (closed) {
      throw closedFailure();
    }
    if (gateway.isEmpty() || gateway.get().isOver()) {
      gateway.ifPresent(GatewayConnection::close);
      gateway = Optional.of(settings.openGateway(rest));
    }
    return gateway.get();
  }

  RestClient rest() {
    return rest;
  }

  BagEvents events() {
    return events;
  }

  /** Uploads a program unless this connection did so before. */
  String store(Bundle bundle) {
    String digest = Digests.sha256Hex(bundle.jar());
    if (!stored.contains(digest)) {
      stored.add(rest.upload(bundle.jar()));
    }
    return digest;
  }

  void forgetStored() {
    stored.clear();
  }

  Executor threads() {
    return threads;
  }

  /**
   * Runs the work beside the caller.
   *
   * @return whether it does; after the close nothing happens
   */
  boolean run(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      if (!threads.isShutdown()) {
        throw e;
      }
      return false;
    }
  }

  /** Runs the action when this is closed, unless the answer is run before. */
  synchronized Runnable whenClosed(Runnable action) {
    if (closed) {
      throw closedFailure();
    }
    open.add(action);
    return () -> open.remove(action);
  }

  static GleanerException closedFailure() {
    return new GleanerException(Code.CLOSED, "this connection to the market was closed");
  }

  @Override
  public void close() {
    Optional<GatewayConnection> connection;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      connection = gateway;
      gateway = Optional.empty();
    }
    events.close();
    open.forEach(Runnable::run);
    connection.ifPresent(GatewayConnection::close);
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
