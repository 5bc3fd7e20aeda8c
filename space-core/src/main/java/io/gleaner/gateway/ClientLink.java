package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.LinkState.Event;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import io.gleaner.secrets.Secret;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's end of a link: connects, says Hello, keeps alive, and comes back with growing pauses
 * when the connection breaks. Confined to its context, except the methods that say otherwise.
 */
final class ClientLink {
  private static final Logger LOG = LoggerFactory.getLogger(ClientLink.class);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  /** Who uses the link; called on its context. */
  interface User {
    void received(Wire.ServerFrame frame) throws MalformedFrame;

    /** The link is back: what was not answered is to be asked again. */
    void resumed();

    /** There is another link: everything that the old one held is gone. */
    void replaced();

    /** There will be no link any more. */
    void lost(GatewayException why);
  }

  private final Vertx vertx;
  private final Context context;
  private final NetClient client;
  private final GatewayAddress address;
  private final Secret joinToken;
  private final String name;
  private final ConnectSettings settings;
  private final Ticker ticker;
  private final List<User> users;
  private final CompletableFuture<Wire.Welcome> connected = new CompletableFuture<>();
  private final CompletableFuture<GatewayException> lost = new CompletableFuture<>();

  private LinkState state = LinkState.CONNECTING;
  private volatile Optional<Outbox> outbox = Optional.empty();
  private volatile Wire.Welcome welcome = Wire.Welcome.getDefaultInstance();
  private Optional<NetSocket> socket = Optional.empty();
  private Optional<GatewayException> refusal = Optional.empty();
  private long awaySinceNanos;
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private long heardNanos;
  private long keepAliveTimer = -1;

  ClientLink(
      Vertx vertx,
      GatewayAddress address,
      Secret joinToken,
      String name,
      ConnectSettings settings,
      Ticker ticker,
      List<User> users) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.address = address;
    this.joinToken = joinToken;
    this.name = name;
    this.settings = settings;
    this.ticker = ticker;
    this.users = List.copyOf(users);
    this.client =
        vertx.createNetClient(
            new NetClientOptions()
                .setTcpNoDelay(true)
                .setConnectTimeout((int) settings.connect().toMillis()));
  }

  /** Connects; for all threads. Fails with a {@link GatewayException}. */
  CompletableFuture<Wire.Welcome> start() {
    context.runOnContext(v -> connect());
    return connected;
  }

  /** Sends if the connection is there; else the user repeats it when it is back. All threads. */
  void send(Message frame) {
    outbox.ifPresent(out -> out.send(frame));
  }

  /** What the node said last; for all threads. */
  Wire.Welcome welcome() {
    return welcome;
  }

  /** Completes when the link is lost; for all threads. */
  CompletableFuture<GatewayException> lost() {
    return lost;
  }

  boolean isUp() {
    return outbox.isPresent();
  }

  /** Takes leave of the node and closes; for all threads. */
  CompletableFuture<Void> close() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    context.runOnContext(
        v -> {
          if (!happens(Event.WAS_CLOSED)) {
            closed.complete(null);
            return;
          }
          outbox.ifPresent(
              out -> out.send(Frames.client().setBye(Wire.Bye.getDefaultInstance()).build()));
          leave();
          GatewayException why =
              new GatewayException(Code.CLOSED, "this connection to the gateway was closed");
          connected.completeExceptionally(why);
          users.forEach(user -> user.lost(why));
          // Behind the Bye, which is in the context's queue.
          context.runOnContext(
              w ->
                  socket.ifPresentOrElse(
                      s -> s.end().onComplete(done -> finishClose(s, closed)),
                      () -> closed.complete(null)));
        });
    return closed;
  }

  private static void finishClose(NetSocket socket, CompletableFuture<Void> closed) {
    socket.close().onComplete(done -> closed.complete(null));
  }

  private void connect() {
    if (state != LinkState.CONNECTING && state != LinkState.AWAY) {
      return;
    }
    client
        .connect(address.port(), address.host())
        .onComplete(
            result ->
                context.runOnContext(
                    v -> {
                      if (result.succeeded()) {
                        sayHello(result.result());
                      } else {
                        failed("nothing answers there: " + result.cause().getMessage());
                      }
                    }));
  }

  private void sayHello(NetSocket arrived) {
    if (state == LinkState.CLOSED) {
      arrived.close();
      return;
    }
    Connection connection = new Connection(arrived);
    socket = Optional.of(arrived);
    heardNanos = ticker.nanos();
    arrived.handler(connection::received);
    arrived.exceptionHandler(e -> LOG.debug("connection to {}: {}", address, e.getMessage()));
    arrived.closeHandler(v -> context.runOnContext(w -> broke(arrived)));
    vertx.setTimer(
        settings.connect().toMillis(),
        t -> {
          if (socket.isPresent() && socket.get() == arrived && outbox.isEmpty()) {
            arrived.close();
          }
        });
    Wire.Hello.Builder hello =
        Wire.Hello.newBuilder()
            .setLowestVersion(Protocol.LOWEST_VERSION)
            .setHighestVersion(Protocol.HIGHEST_VERSION)
            .setJoinToken(joinToken.reveal())
            .setName(name);
    if (!welcome.getResumeKey().isEmpty()) {
      hello.setResume(
          Wire.Resume.newBuilder().setLink(welcome.getLink()).setKey(welcome.getResumeKey()));
    }
    connection.out.send(Frames.client().setHello(hello).build());
  }

  private void welcomed(Wire.Welcome arrived, Outbox out) {
    boolean first = state == LinkState.CONNECTING;
    if (!happens(Event.WELCOMED)) {
      return;
    }
    welcome = arrived;
    pauseMillis = FIRST_PAUSE_MILLIS;
    outbox = Optional.of(out);
    keepAliveTimer =
        vertx.setPeriodic(Math.max(10, arrived.getKeepAliveMillis()), t -> keepAlive(out));
    if (first) {
      connected.complete(arrived);
    } else {
      LOG.info(
          "connection to {} is back, link {} {}",
          address,
          arrived.getLink(),
          arrived.getResumed() ? "resumed" : "is new");
      users.forEach(arrived.getResumed() ? User::resumed : User::replaced);
    }
  }

  private void keepAlive(Outbox out) {
    long silentNanos = ticker.nanos() - heardNanos;
    if (silentNanos > 3 * 1_000_000L * welcome.getKeepAliveMillis()) {
      LOG.info("connection to {}: nothing heard for {} ms", address, silentNanos / 1_000_000);
      socket.ifPresent(NetSocket::close);
      return;
    }
    out.send(Frames.client().setPing(Wire.Ping.newBuilder().setNumber(ticker.nanos())).build());
  }

  private void broke(NetSocket gone) {
    if (socket.isEmpty() || socket.get() != gone) {
      return;
    }
    leave();
    socket = Optional.empty();
    if (state == LinkState.CLOSED || state == LinkState.LOST) {
      return;
    }
    if (refusal.isPresent()) {
      giveUp(Event.REFUSED, refusal.get());
    } else if (state == LinkState.UP) {
      happens(Event.BROKE);
      awaySinceNanos = ticker.nanos();
      LOG.info("connection to {} broke; trying to come back", address);
      vertx.setTimer(pauseMillis, t -> connect());
    } else {
      failed("no welcome came; is it a gateway of Gleaner?");
    }
  }

  private void failed(String why) {
    if (state == LinkState.CONNECTING) {
      giveUp(
          Event.GAVE_UP,
          new GatewayException(
              Code.UNREACHABLE, "cannot connect to the gateway at " + address + ": " + why));
    } else if (state == LinkState.AWAY) {
      if (ticker.nanos() - awaySinceNanos > settings.giveUp().toNanos()) {
        giveUp(
            Event.GAVE_UP,
            new GatewayException(
                Code.LOST,
                "the connection to the gateway at "
                    + address
                    + " broke and did not come back within "
                    + settings.giveUp().toSeconds()
                    + " s: "
                    + why));
        return;
      }
      // Jitter, so that thousands of launchers do not come back in the same instant.
      long jittered = pauseMillis + ThreadLocalRandom.current().nextLong(pauseMillis / 4 + 1);
      pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
      vertx.setTimer(jittered, t -> connect());
    }
  }

  private void giveUp(Event event, GatewayException why) {
    happens(event);
    leave();
    socket.ifPresent(NetSocket::close);
    connected.completeExceptionally(why);
    users.forEach(user -> user.lost(why));
    lost.complete(why);
  }

  private void leave() {
    outbox = Optional.empty();
    if (keepAliveTimer >= 0) {
      vertx.cancelTimer(keepAliveTimer);
      keepAliveTimer = -1;
    }
  }

  private boolean happens(Event event) {
    Optional<LinkState> next = LinkState.TRANSITIONS.next(state, event);
    next.ifPresent(s -> state = s);
    return next.isPresent();
  }

  private void refused(Wire.Error error) {
    String message = "the gateway at " + address + " says: " + error.getMessage();
    switch (error.getCode()) {
      case TOKEN -> refusal = Optional.of(new GatewayException(Code.TOKEN_REFUSED, message));
      case VERSION, MALFORMED, FRAME_TOO_LARGE ->
          refusal = Optional.of(new GatewayException(Code.PROTOCOL, message));
      case LIMIT -> {
        if (state == LinkState.CONNECTING) {
          refusal = Optional.of(new GatewayException(Code.LIMIT, message));
        }
      }
      case TIMEOUT, CLOSING, INTERNAL, UNSPECIFIED, UNRECOGNIZED -> LOG.info("{}", message);
    }
  }

  /** One socket and what has been read of it. */
  private final class Connection {
    private final NetSocket from;
    private final Outbox out;
    private final FrameSplitter splitter = new FrameSplitter(64 * 1024 * 1024);

    Connection(NetSocket from) {
      this.from = from;
      this.out = new Outbox(from, context, () -> {});
    }

    void received(Buffer bytes) {
      heardNanos = ticker.nanos();
      splitter.add(bytes);
      try {
        for (Optional<byte[]> message = splitter.next();
            message.isPresent();
            message = splitter.next()) {
          dispatch(Frames.readServer(message.get()));
        }
      } catch (MalformedFrame | FrameSplitter.FrameTooLarge e) {
        refusal =
            Optional.of(
                new GatewayException(
                    Code.PROTOCOL,
                    "what answers at "
                        + address
                        + " does not speak this protocol: "
                        + e.getMessage(),
                    e));
        from.close();
      }
    }

    private void dispatch(Wire.ServerFrame frame) throws MalformedFrame {
      switch (frame.getBodyCase()) {
        case WELCOME -> welcomed(frame.getWelcome(), out);
        case PONG -> LOG.trace("pong {}", frame.getPong().getNumber());
        case ERROR -> refused(frame.getError());
        case GO_AWAY -> {
          LOG.info("the gateway at {} goes away: {}", address, frame.getGoAway().getReason());
          // What is asked from now on waits for the next connection.
          outbox = Optional.empty();
        }
        case BODY_NOT_SET -> throw new MalformedFrame("a frame without a body");
        default -> {
          for (User user : users) {
            user.received(frame);
          }
        }
      }
    }
  }
}
