package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.authority.Revocations.Verdict;
import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.gateway.wire.Wire.Error.Code;
import io.gleaner.identity.Names;
import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Strangers;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One connection of a client, from Hello to close. Confined to the channel's context, except {@link
 * #send} and {@link #isFull}, which are for all threads.
 */
final class ServerConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
  private static final Verdict ALLOWED = new Verdict.Allowed();

  /** What all connections of a gateway share. */
  record Surroundings(
      Vertx vertx,
      GatewaySettings settings,
      Ticker ticker,
      TokenDesk tokens,
      Optional<Entrance.ByCertificate> entrance,
      MemberDesk members,
      Links links,
      Strangers<ServerConnection> strangers,
      HelloThrottle throttle) {}

  private final Surroundings around;
  private final Channel channel;
  private final Context context;
  private final Outbox outbox;
  private final FrameSplitter splitter = new FrameSplitter(Protocol.HELLO_FRAME_BYTES);
  private final String peer;
  private final long beganNanos;

  /** Who showed a certificate. */
  private final Optional<Visitor> visitor;

  private Optional<Link> link = Optional.empty();
  private boolean helloSeen;
  private boolean ended;
  private boolean paused;

  /** A chunk for which there was no room, and whether it waits to be called back. */
  private Optional<Wire.ClientFrame> late = Optional.empty();

  private boolean crowded;

  /** From its welcome on; and what of it are frames. */
  private volatile Optional<Holding> holding = Optional.empty();

  private int frameBytes;
  private long heardNanos;
  private long writtenBytes;
  private long unreadSinceNanos;

  ServerConnection(
      Surroundings around, Channel channel, Optional<Visitor> visitor, Context context) {
    this.around = around;
    this.channel = channel;
    this.context = context;
    this.peer = channel.remote().toString();
    this.outbox = new Outbox(channel, context, this::goOn, this::holds);
    this.visitor = visitor;
    this.beganNanos = around.ticker.nanos();
    this.heardNanos = beganNanos;
  }

  void begin() {
    long timer =
        around.vertx.setPeriodic(
            Math.max(10, around.settings.patience().toMillis() / 4), t -> checkAlive());
    channel.receive(this::received);
    channel.onTrouble(e -> LOG.debug("connection of {}: {}", peer, e.getMessage()));
    channel.onClose(
        () -> {
          ended = true;
          around.vertx.cancelTimer(timer);
          around.strangers.left(this);
          holding.ifPresent(Holding::end);
          link.ifPresent(l -> l.detach(this));
        });
    around
        .strangers
        .arrived(this, channel.remote().host())
        .ifPresent(
            oldest ->
                oldest.fail(
                    Code.TIMEOUT,
                    "too many connections wait to be welcomed and this one of the address that has"
                        + " the most waited longest; try again"));
  }

  /** Sends the frames with no other between them. */
  void send(List<? extends Message> frames) {
    outbox.send(frames);
  }

  /** As above, of what is not made before there is room for it. */
  void send(Supplier<? extends List<? extends Message>> frames) {
    outbox.send(frames);
  }

  boolean hasRoomForChunk() {
    return outbox.hasRoomForChunk();
  }

  /** What the other end has the node hold. */
  long heldBytes() {
    return holding.map(Holding::bytes).orElse(0L);
  }

  boolean isFull() {
    return outbox.isFull();
  }

  /** Bytes that the peer has not read yet. */
  long backlogBytes() {
    return outbox.backlogBytes();
  }

  void close() {
    context.runOnContext(v -> channel.close());
  }

  /** Says why and closes. */
  void fail(Code code, String message) {
    context.runOnContext(v -> failNow(code, message));
  }

  /** Ends it, as it holds too much; nothing counts for it from now on. */
  void cutOff(String why) {
    holding.ifPresent(Holding::end);
    context.runOnContext(
        v -> {
          failNow(Code.LIMIT, why);
          if (outbox.isFull()) {
            channel.close();
          }
        });
  }

  /** Counts what is held more, or less; for all threads. */
  private void holds(long more) {
    if (holding.map(h -> h.change(more)).orElse(false)) {
      around.links.relieve(link.orElseThrow().use);
    }
  }

  private void countFrames() {
    int now = splitter.heldBytes() + late.map(Wire.ClientFrame::getSerializedSize).orElse(0);
    int more = now - frameBytes;
    frameBytes = now;
    if (more != 0) {
      holds(more);
    }
  }

  private void failNow(Code code, String message) {
    if (ended) {
      return;
    }
    ended = true;
    // Thousands are closed at a time when the node goes; it says itself how many.
    LOG.atLevel(code == Code.CLOSING ? Level.DEBUG : Level.INFO)
        .log(
            "connection of {}{} closed: {} {}",
            peer,
            link.map(l -> ", link " + l.id).orElse(""),
            code,
            message);
    splitter.clear();
    late = Optional.empty();
    countFrames();
    outbox.send(Frames.error(code, message));
    // Who does not read it is not waited for longer.
    around.vertx.setTimer(around.settings.patience().toMillis(), t -> channel.close());
    // The frame is ahead of this in the context's queue and in the channel's.
    context.runOnContext(v -> channel.end(message));
  }

  private void received(Buffer bytes) {
    heardNanos = around.ticker.nanos();
    if (ended) {
      return;
    }
    splitter.add(bytes.getBytes());
    dispatchAll();
  }

  private void dispatchAll() {
    dispatchWhole();
    if (!ended) {
      countFrames();
    }
  }

  private void dispatchWhole() {
    try {
      while (!ended && !paused) {
        Optional<Wire.ClientFrame> frame = nextFrame();
        if (frame.isEmpty() || isShutOut()) {
          break;
        }
        dispatch(frame.get());
        if (late.isPresent() || outbox.isFull()) {
          pause();
        }
      }
    } catch (FrameSplitter.FrameTooLarge e) {
      failNow(Code.FRAME_TOO_LARGE, e.getMessage());
    } catch (MalformedFrame e) {
      failNow(Code.MALFORMED, e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("connection of {}: a frame could not be handled", peer, e);
      failNow(Code.INTERNAL, "the gateway could not handle a frame; its log says why");
    }
  }

  private Optional<Wire.ClientFrame> nextFrame()
      throws FrameSplitter.FrameTooLarge, MalformedFrame {
    Optional<Wire.ClientFrame> frame = late;
    late = Optional.empty();
    if (frame.isEmpty()) {
      Optional<byte[]> message = splitter.next();
      if (message.isPresent()) {
        frame = Optional.of(Frames.readClient(message.get()));
      }
    }
    return frame;
  }

  /** Takes a chunk, or stops reading until there is room for it. */
  private void put(Link l, Wire.ClientFrame frame) throws MalformedFrame {
    Runnable room = () -> context.runOnContext(v -> hasRoom(l));
    if (!l.transfers.put(frame.getBlobPut(), room)) {
      late = Optional.of(frame);
      crowded = true;
    }
  }

  private void hasRoom(Link l) {
    crowded = false;
    goOn();
    if (!crowded) {
      l.use.intake.wakesNext();
    }
  }

  /** Ends the connection if its member may not act any more. */
  private boolean isShutOut() {
    if (visitor.isPresent() && visitor.get().hasEnded()) {
      failNow(
          Code.TOKEN,
          "the certificate of " + visitor.get().identity() + " has ended; renew it, or join again");
      return true;
    }
    Verdict verdict = visitor.map(Visitor::verdict).orElse(ALLOWED);
    if (verdict instanceof Verdict.Revoked revoked) {
      link.ifPresent(
          l -> {
            var unused = around.links.end(l);
          });
      failNow(
          Code.TOKEN,
          visitor.get().identity()
              + " was revoked: "
              + revoked.by().reason()
              + "; ask the operator of the node");
      return true;
    }
    if (verdict instanceof Verdict.Unknown) {
      failNow(Code.INTERNAL, "the node cannot tell now who was revoked; try again");
      return true;
    }
    return false;
  }

  private void dispatch(Wire.ClientFrame frame) throws MalformedFrame {
    if (link.isEmpty()) {
      Protocol.require(
          (frame.hasHello() || frame.hasJoin()) && !helloSeen,
          "the first frame must be a Hello or a Join");
      helloSeen = true;
      if (frame.hasJoin()) {
        join(frame.getJoin());
      } else {
        hello(frame.getHello());
      }
      return;
    }
    Link l = link.get();
    switch (frame.getBodyCase()) {
      case PING ->
          outbox.send(
              Frames.server()
                  .setPong(Wire.Pong.newBuilder().setNumber(frame.getPing().getNumber()))
                  .build());
      case OPEN_SESSION -> l.open(frame.getOpenSession());
      case CLOSE_SESSION -> l.close(frame.getCloseSession().getSession());
      case EXECUTE -> l.execute(frame.getExecute());
      case BLOB_PUT -> put(l, frame);
      case BLOB_GET -> l.transfers.get(frame.getBlobGet());
      case BLOB_CREDIT -> l.transfers.credit(frame.getBlobCredit());
      case BLOB_CONTAINS -> l.transfers.contains(frame.getBlobContains());
      case BLOB_CANCEL -> l.transfers.cancel(frame.getBlobCancel().getTransfer());
      case BYE -> {
        ended = true;
        var unused = around.links.end(l).thenRun(this::close);
      }
      case HELLO, JOIN -> throw new MalformedFrame("a second Hello or Join");
      case BODY_NOT_SET -> throw new MalformedFrame("a frame without a body");
    }
  }

  private void hello(Wire.Hello hello) throws MalformedFrame {
    Protocol.requireKnown(hello);
    if (visitor.isPresent() && visitor.get().isClient()) {
      welcome(visitor.get().grant(), visitor.get().identity().id(), hello);
      return;
    }
    if (around.entrance.isPresent()) {
      failNow(
          Code.TOKEN,
          visitor.isPresent()
              ? "the certificate is not that of a device or an application of the pool; join as one"
              : "no certificate was shown; join by a token first");
      return;
    }
    if (hello.getJoinToken().isEmpty()) {
      refuseToken("the Hello carries no join token");
      return;
    }
    pause();
    Secret token = Secret.of(hello.getJoinToken());
    around
        .tokens
        .check(token)
        .onComplete(
            checked ->
                context.runOnContext(
                    v -> {
                      if (ended) {
                        return;
                      }
                      if (checked.failed()) {
                        LOG.error("a join token could not be checked", checked.cause());
                        failNow(Code.INTERNAL, "the node cannot check join tokens now; try again");
                      } else if (checked.result().isEmpty()) {
                        refuseToken("the join token is wrong, expired or revoked");
                      } else {
                        welcome(checked.result().get(), hello.getName(), hello);
                      }
                    }));
  }

  private void join(Wire.Join join) throws MalformedFrame {
    Protocol.requireKnown(join);
    Protocol.require(around.entrance.isPresent(), "this gateway makes no members");
    Protocol.require(
        visitor.isEmpty() || join.getToken().isEmpty(),
        "a token and a certificate; renew without a token, or join without a certificate");
    if (visitor.isEmpty() && join.getToken().isEmpty()) {
      refuse("no join token and no certificate");
      return;
    }
    pause();
    around
        .members
        .answer(around.entrance.get().enrolment(), visitor, join, channel.remote().host())
        .onComplete(answered -> context.runOnContext(v -> joined(answered)));
  }

  private void joined(AsyncResult<Message> answered) {
    if (ended) {
      return;
    }
    if (answered.succeeded()) {
      ended = true;
      outbox.send(answered.result());
      context.runOnContext(v -> channel.end(""));
    } else if (answered.cause() instanceof SecurityRefusal refusal
        && refusal.code() != SecurityRefusal.Code.STORAGE) {
      refuse(refusal.getMessage());
    } else {
      LOG.error("no certificate could be issued", answered.cause());
      failNow(Code.INTERNAL, "the node cannot issue certificates now; try again");
    }
  }

  private void refuseToken(String why) {
    refuse(why + "; ask the operator of the node for a new one");
  }

  private void refuse(String why) {
    long waitMillis = around.throttle.refusedMillis(channel.remote().host());
    LOG.warn("connection of {} refused: {}", peer, why);
    around.vertx.setTimer(waitMillis, t -> failNow(Code.TOKEN, why));
  }

  private void welcome(JoinGrant grant, String name, Wire.Hello hello) {
    if (hello.getLowestVersion() > Protocol.HIGHEST_VERSION
        || hello.getHighestVersion() < Protocol.LOWEST_VERSION) {
      failNow(
          Code.VERSION,
          "this gateway speaks version "
              + Protocol.HIGHEST_VERSION
              + ", the client versions "
              + hello.getLowestVersion()
              + " to "
              + hello.getHighestVersion());
      return;
    }
    if (!Names.isName(name)) {
      failNow(Code.MALFORMED, "the client's name is no name");
      return;
    }
    Links.Admission admission = around.links.admit(grant, name, hello);
    if (admission.link().isEmpty()) {
      failNow(Code.LIMIT, admission.refusal());
      return;
    }
    Link admitted = admission.link().get();
    link = Optional.of(admitted);
    holding = Optional.of(new Holding(admitted.use.held));
    frameBytes = 0;
    around.strangers.left(this);
    splitter.limit(around.settings.frameBytes());
    outbox.send(Frames.server().setWelcome(welcomeTo(admitted, admission.resumed())).build());
    around
        .entrance
        .flatMap(known -> Frames.revokedNodes(known.revocations()))
        .ifPresent(outbox::send);
    admitted
        .attach(this)
        .ifPresent(older -> older.fail(Code.CLOSING, "the client came back by another connection"));
    LOG.info(
        "link {} of {}/{} {} from {}",
        admitted.id,
        grant.owner(),
        admitted.name,
        admission.resumed() ? "resumed" : "began",
        peer);
    goOn();
  }

  private Wire.Welcome welcomeTo(Link l, boolean resumed) {
    GatewaySettings s = around.settings;
    return Wire.Welcome.newBuilder()
        .setVersion(Protocol.HIGHEST_VERSION)
        .setLink(l.id)
        .setResumeKey(l.resumeKey.reveal())
        .setResumed(resumed)
        .setOwner(l.grant.owner())
        .setRole(l.grant.role().text())
        .setKeepAliveMillis((int) s.keepAlive().toMillis())
        .setLeaseMillis((int) s.lease().toMillis())
        .setLimits(
            Wire.Limits.newBuilder()
                .setFrameBytes(s.frameBytes())
                .setEntryBytes(s.entryBytes())
                .setBatchEntries(s.batchEntries())
                .setWindow(io.gleaner.space.SpaceEngine.WINDOW)
                .setWaitingOperations(s.waitingOperations())
                .setBlobBytes(s.blobBytes())
                .setBlobChunkBytes(Protocol.BLOB_CHUNK_BYTES)
                .setBlobWindowChunks(Protocol.BLOB_WINDOW_CHUNKS))
        .build();
  }

  private void pause() {
    if (!paused) {
      paused = true;
      channel.pause();
    }
  }

  private void goOn() {
    link.ifPresent(l -> l.transfers.goOn());
    if (paused && !crowded && link.isPresent() && outbox.isDrained()) {
      paused = false;
      heardNanos = around.ticker.nanos();
      dispatchAll();
      if (!paused) {
        channel.resume();
      }
    }
  }

  private void checkAlive() {
    if (ended || isShutOut()) {
      return;
    }
    long now = around.ticker.nanos();
    long patience = around.settings.patience().toNanos();
    if (link.isEmpty()) {
      if (!helloSeen && now - beganNanos > patience) {
        failNow(Code.TIMEOUT, "no Hello within " + around.settings.patience().toMillis() + " ms");
      }
      return;
    }
    if (!paused && now - heardNanos > 3 * around.settings.keepAlive().toNanos()) {
      failNow(Code.TIMEOUT, "nothing was heard for three times the keep-alive time");
    }
    long unread = outbox.backlogBytes();
    long written = outbox.writtenBytes();
    if (unread == 0 || written != writtenBytes) {
      writtenBytes = written;
      unreadSinceNanos = now;
    } else if (now - unreadSinceNanos > patience) {
      LOG.info("link {}: {} bytes stay unread", link.get().id, unread);
      ended = true;
      channel.close();
    }
  }
}
