package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.gateway.GatewayException.Code;
import io.gleaner.gateway.LinkState.Event;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's end of a link: connects, says Hello, keeps alive, and comes back with growing pauses
 * when the connection breaks. Confined to its thread, except the methods that say otherwise.
 */
final class ClientLink implements ClientSocket.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(ClientLink.class);
  private static final long LEAVE_MILLIS = 1000;

  /** Who uses the link; called on its thread, and must not wait. */
  interface User {
    /** Called by whoever reads, one at a time and in the order in which the frames came. */
    void received(Wire.ServerFrame frame) throws MalformedFrame;

    /**
     * A connection is there, and nobody has sent anything by it: what operations rely on is sent
     * that way.
     *
     * @param tenure how many connections there have been
     */
    default void arrived(long tenure, Consumer<Message> way) {}

    /** The link is back: what was not answered is asked again. */
    void resumed();

    /** There is another link, perhaps of another node: the transfers of the old one are gone. */
    void replaced();

    /** There will be no link any more. */
    void lost(GatewayException why);
  }

  private final LinkThreads threads;
  private final Itinerary itinerary;
  private final Showing showing;
  private final ConnectSettings settings;
  private final Ticker ticker;
  private final List<User> users;
  private final CompletableFuture<Wire.Welcome> connected = new CompletableFuture<>();
  private final CompletableFuture<GatewayException> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private LinkState state = LinkState.CONNECTING;
  private volatile long tenure;
  private long welcomes;

  private volatile Optional<ClientSocket> up = Optional.empty();
  private volatile Wire.Welcome welcome = Wire.Welcome.getDefaultInstance();
  private Optional<ClientSocket> socket = Optional.empty();
  private Optional<GatewayException> refusal = Optional.empty();
  private Optional<ScheduledFuture<?>> keepAlive = Optional.empty();

  ClientLink(
      List<GatewayAddress> addresses,
      Showing showing,
      ConnectSettings settings,
      Ticker ticker,
      List<User> users) {
    this.itinerary = new Itinerary(addresses, ticker, new SplittableRandom());
    this.threads = new LinkThreads(addresses.get(0).toString());
    this.showing = showing;
    this.settings = settings;
    this.ticker = ticker;
    this.users = List.copyOf(users);
  }

  /** Connects; for all threads. Fails with a {@link GatewayException}. */
  CompletableFuture<Wire.Welcome> start() {
    threads.run(this::connect);
    return connected;
  }

  /** Sends if the connection is there; else the user repeats it when it is back. All threads. */
  void send(Message frame) {
    up.ifPresent(there -> there.send(frame));
  }

  /** As {@link #send}; a thread that may wait writes the frame itself. */
  void sendNow(Message frame) {
    up.ifPresent(there -> there.sendNow(frame));
  }

  /** Reads until the answer is there or somebody else reads; for all threads. */
  void readFor(CompletableFuture<?> answer) {
    up.ifPresent(there -> there.readFor(answer));
  }

  /** How many times a node has welcomed this client; for all threads. */
  long tenure() {
    return tenure;
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
    return up.isPresent();
  }

  /** Takes leave of the node and closes; for all threads. */
  CompletableFuture<Void> close() {
    threads.run(
        () -> {
          if (!happens(Event.WAS_CLOSED)) {
            finishClose();
            return;
          }
          up.ifPresent(
              there -> {
                there.send(Frames.client().setBye(Wire.Bye.getDefaultInstance()).build());
                there.end();
              });
          boolean takesLeave = up.isPresent();
          leave();
          GatewayException why =
              new GatewayException(Code.CLOSED, "this connection to the gateway was closed");
          connected.completeExceptionally(why);
          users.forEach(user -> user.lost(why));
          if (takesLeave) {
            // The node closes when everything of this client has ended.
            threads.later(this::finishClose, LEAVE_MILLIS);
          } else {
            finishClose();
          }
        });
    return closed;
  }

  /**
   * Comes back by another connection, which shows what this client has then; for all threads.
   * Operations under way go on, and what is asked from now on waits for that connection.
   */
  void comeBack() {
    up = Optional.empty();
    threads.run(
        () -> {
          if (state == LinkState.UP) {
            up = Optional.empty();
            socket.ifPresent(ClientSocket::close);
          }
        });
  }

  /** Runs a task that may wait, again and again until the link ends; for all threads. */
  void tend(Runnable task, Duration pause) {
    var unused = threads.every(() -> threads.aside(task), pause.toMillis());
  }

  private void finishClose() {
    socket.ifPresent(ClientSocket::close);
    socket = Optional.empty();
    closed.complete(null);
    threads.end();
  }

  private void connect() {
    if (state == LinkState.CONNECTING || state == LinkState.AWAY) {
      Optional<SSLContext> tls =
          showing instanceof Showing.Certificate shown
              ? Optional.of(shown.context())
              : Optional.empty();
      var unused =
          new ClientSocket(
              itinerary.address(), tls, settings.connect(), this, ticker, threads.writer());
    }
  }

  @Override
  public boolean mustNotWait() {
    return threads.isDeciding();
  }

  @Override
  public void connected(ClientSocket arrived) {
    threads.run(() -> sayHello(arrived));
    if (threads.hasEnded()) {
      arrived.close();
    }
  }

  @Override
  public void failed(Code code, String why) {
    threads.run(() -> couldNotConnect(code, why));
  }

  @Override
  public void broke(ClientSocket gone) {
    threads.run(() -> lostConnection(gone));
  }

  @Override
  public void garbled(Exception why) {
    threads.run(
        () ->
            refusal =
                Optional.of(
                    new GatewayException(
                        Code.PROTOCOL,
                        "what answers at "
                            + itinerary.address()
                            + " does not speak this protocol: "
                            + why.getMessage(),
                        why)));
  }

  /** A node that has believed this client before may not know now who was revoked. */
  @Override
  public void notBelieved(SSLException why) {
    threads.run(
        () -> {
          String sentence =
              "the gateway at "
                  + itinerary.address()
                  + " ends the handshake ("
                  + why.getMessage()
                  + "); "
                  + ClientSocket.NOT_ACCEPTED;
          if (state == LinkState.CONNECTING) {
            refusal = Optional.of(new GatewayException(Code.NOT_BELIEVED, sentence, why));
          } else {
            LOG.info("{}", sentence);
          }
        });
  }

  @Override
  public void received(ClientSocket from, Wire.ServerFrame frame) throws MalformedFrame {
    switch (frame.getBodyCase()) {
      case WELCOME -> threads.run(() -> welcomed(frame.getWelcome(), from));
      case PONG -> LOG.trace("pong {}", frame.getPong().getNumber());
      case ERROR -> threads.run(() -> refused(frame.getError()));
      case GO_AWAY -> {
        LOG.info(
            "the gateway at {} goes away: {}", itinerary.address(), frame.getGoAway().getReason());
        // What is asked from now on waits for the next connection.
        up = Optional.empty();
        threads.run(itinerary::turnToNext);
      }
      case REVOKED_NODES -> revoked(from, frame.getRevokedNodes().getIdentitiesList());
      case BODY_NOT_SET -> throw new MalformedFrame("a frame without a body");
      default -> {
        for (User user : users) {
          user.received(frame);
        }
      }
    }
  }

  /** Leaves the node if it is one of those; the handshake refuses it from now on. */
  private void revoked(ClientSocket from, List<String> nodes) throws MalformedFrame {
    if (showing instanceof Showing.Certificate shown) {
      shown.refused().learn(nodes);
      Optional<PoolIdentity> gone = from.node().filter(shown.refused()::has);
      if (gone.isPresent()) {
        LOG.warn("{} at {} was revoked; going to another node", gone.get(), itinerary.address());
        threads.run(itinerary::turnToNext);
        from.close();
      }
    }
  }

  private void sayHello(ClientSocket arrived) {
    if (state == LinkState.CLOSED) {
      arrived.close();
      return;
    }
    socket = Optional.of(arrived);
    threads.later(
        () -> {
          if (socket.isPresent() && socket.get() == arrived && up.isEmpty()) {
            arrived.close();
          }
        },
        settings.connect().toMillis());
    Wire.Hello.Builder hello =
        Wire.Hello.newBuilder()
            .setLowestVersion(Protocol.LOWEST_VERSION)
            .setHighestVersion(Protocol.HIGHEST_VERSION);
    if (showing instanceof Showing.Token token) {
      hello.setJoinToken(token.secret().reveal()).setName(token.name());
    }
    if (!welcome.getResumeKey().isEmpty()) {
      hello.setResume(
          Wire.Resume.newBuilder().setLink(welcome.getLink()).setKey(welcome.getResumeKey()));
    }
    arrived.send(Frames.client().setHello(hello).build());
  }

  private void welcomed(Wire.Welcome arrived, ClientSocket by) {
    boolean first = state == LinkState.CONNECTING;
    if (!happens(Event.WELCOMED)) {
      return;
    }
    welcome = arrived;
    tenure = ++welcomes;
    users.forEach(user -> user.arrived(tenure, by::send));
    itinerary.welcomed();
    up = Optional.of(by);
    long everyMillis = Math.max(10, arrived.getKeepAliveMillis());
    keepAlive = Optional.of(threads.every(() -> keepAlive(by), everyMillis));
    if (first) {
      connected.complete(arrived);
    } else {
      LOG.info(
          "connection to {} is back, link {} {}",
          itinerary.address(),
          arrived.getLink(),
          arrived.getResumed() ? "resumed" : "is new");
      users.forEach(arrived.getResumed() ? User::resumed : User::replaced);
    }
  }

  private void keepAlive(ClientSocket by) {
    long silentNanos = by.silentNanos();
    if (silentNanos > 3 * 1_000_000L * welcome.getKeepAliveMillis()) {
      LOG.info(
          "connection to {}: nothing heard for {} ms",
          itinerary.address(),
          silentNanos / 1_000_000);
      by.close();
      return;
    }
    by.send(Frames.client().setPing(Wire.Ping.newBuilder().setNumber(ticker.nanos())).build());
  }

  private void lostConnection(ClientSocket gone) {
    if (socket.isEmpty() || socket.get() != gone) {
      return;
    }
    leave();
    socket = Optional.empty();
    if (state == LinkState.CLOSED) {
      finishClose();
    } else if (refusal.isPresent() && state != LinkState.LOST) {
      wasRefused(refusal.get());
    } else if (state == LinkState.UP) {
      happens(Event.BROKE);
      itinerary.left();
      LOG.info("connection to {} broke; trying to come back", itinerary.address());
      threads.later(this::connect, itinerary.firstPauseMillis());
    } else {
      boolean shown = showing instanceof Showing.Certificate;
      couldNotConnect(
          shown ? Code.NOT_BELIEVED : Code.UNREACHABLE,
          "no welcome came; "
              + (shown ? ClientSocket.NOT_ACCEPTED : "is it a gateway of Gleaner?"));
    }
  }

  /** A token that one node does not know may be known to another. */
  private void wasRefused(GatewayException why) {
    boolean everywhere = itinerary.refusedEverywhere();
    boolean mayBeKnownElsewhere =
        why.code() == Code.TOKEN_REFUSED || why.code() == Code.NOT_BELIEVED;
    if (!mayBeKnownElsewhere || state == LinkState.UP || everywhere) {
      giveUp(Event.REFUSED, why);
    } else {
      LOG.info("{}; trying the next address", why.getMessage());
      refusal = Optional.empty();
      couldNotConnect(Code.UNREACHABLE, why.getMessage());
    }
  }

  private void couldNotConnect(Code code, String why) {
    GatewayAddress tried = itinerary.address();
    itinerary.turnToNext();
    if (state == LinkState.CONNECTING && !itinerary.triedAll()) {
      connect();
    } else if (state == LinkState.CONNECTING) {
      giveUp(
          Event.GAVE_UP,
          new GatewayException(code, "cannot connect to the gateway at " + tried + ": " + why));
    } else if (state == LinkState.AWAY) {
      if (itinerary.awayLongerThan(settings.giveUp())) {
        giveUp(
            Event.GAVE_UP,
            new GatewayException(
                Code.LOST,
                "the connection to the gateway at "
                    + tried
                    + " broke and did not come back within "
                    + settings.giveUp().toSeconds()
                    + " s: "
                    + why));
        return;
      }
      threads.later(this::connect, itinerary.pauseMillis());
    }
  }

  private void giveUp(Event event, GatewayException why) {
    happens(event);
    leave();
    socket.ifPresent(ClientSocket::close);
    connected.completeExceptionally(why);
    users.forEach(user -> user.lost(why));
    lost.complete(why);
  }

  private void leave() {
    up = Optional.empty();
    keepAlive.ifPresent(timer -> timer.cancel(false));
    keepAlive = Optional.empty();
  }

  private boolean happens(Event event) {
    Optional<LinkState> next = LinkState.TRANSITIONS.next(state, event);
    next.ifPresent(s -> state = s);
    return next.isPresent();
  }

  private void refused(Wire.Error error) {
    String message = "the gateway at " + itinerary.address() + " says: " + error.getMessage();
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
}
