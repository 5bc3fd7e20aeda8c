package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import io.gleaner.secrets.Secret;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the node keeps of one client while connections come and go: its sessions, its unanswered
 * operations, its transfers. Safe for all threads.
 *
 * <p>An answer goes to the connection that is there when it is ready. Without one it is dropped:
 * the client asks again after its return, and the engine still has it.
 */
final class Link {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);

  private record Operation(long session, long sequence) {}

  final long id;
  final Secret resumeKey = Secret.random();
  final JoinGrant grant;
  final String name;
  final ServerTransfers transfers;

  private final SpaceEngine engine;
  private final CommandLimits limits;
  private final int mostWaiting;
  private final Ticker ticker;
  private final Map<Long, CompletableFuture<Long>> engineSessions = new ConcurrentHashMap<>();
  private final Map<Operation, Command> running = new ConcurrentHashMap<>();
  private final AtomicInteger brief = new AtomicInteger();
  private volatile Optional<ServerConnection> connection = Optional.empty();
  private volatile long awaySinceNanos;
  private volatile boolean closed;

  Link(
      long id,
      JoinGrant grant,
      String name,
      SpaceEngine engine,
      GatewaySettings settings,
      Ticker ticker,
      BlobDesk blobs) {
    this.id = id;
    this.grant = grant;
    this.name = name;
    this.engine = engine;
    this.limits = new CommandLimits(settings);
    this.mostWaiting = settings.waitingOperations();
    this.ticker = ticker;
    this.transfers = new ServerTransfers(blobs, this::send);
    this.awaySinceNanos = ticker.nanos();
  }

  /** The connection takes the link over, from an older one if there is one. */
  synchronized Optional<ServerConnection> attach(ServerConnection arrived) {
    Optional<ServerConnection> before = connection;
    connection = Optional.of(arrived);
    return before;
  }

  /** The connection is gone; nothing happens if another has taken over. */
  synchronized void detach(ServerConnection gone) {
    if (connection.isPresent() && connection.get() == gone) {
      connection = Optional.empty();
      awaySinceNanos = ticker.nanos();
    }
  }

  /** How long no connection was there, or a negative number if one is. */
  long awayNanos() {
    return connection.isPresent() ? -1 : ticker.nanos() - awaySinceNanos;
  }

  Optional<ServerConnection> connection() {
    return connection;
  }

  void send(Message frame) {
    connection.ifPresent(there -> there.send(List.of(frame)));
  }

  void open(long session, String holder) throws MalformedFrame {
    Protocol.require(session > 0, "a session has the number " + session);
    Protocol.require(holder.length() <= 128, "the holder of a session has a name too long");
    if (!engineSessions.containsKey(session) && engineSessions.size() >= mostWaiting) {
      throw new MalformedFrame("more than " + mostWaiting + " sessions in one connection");
    }
    var answered =
        engineSessions
            .computeIfAbsent(
                session,
                s ->
                    engine.open(
                        grant.owner() + "/" + name + (holder.isEmpty() ? "" : "/" + holder),
                        event -> tell(s, event)))
            .whenComplete(
                (engineSession, failure) -> {
                  if (failure != null) {
                    LOG.warn("link {}: session {} could not be opened", id, session, failure);
                    engineSessions.remove(session);
                  } else {
                    send(
                        Frames.server()
                            .setSessionOpened(Wire.SessionOpened.newBuilder().setSession(session))
                            .build());
                  }
                });
    if (closed) {
      var unused = answered.thenAccept(this::closeEngineSession);
    }
  }

  void close(long session) {
    CompletableFuture<Long> open = engineSessions.remove(session);
    CompletableFuture<Void> done =
        open == null ? CompletableFuture.completedFuture(null) : open.thenCompose(engine::close);
    var unused =
        done.whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                LOG.warn("link {}: session {} did not close in order", id, session, failure);
              }
              send(
                  Frames.server()
                      .setSessionClosed(Wire.SessionClosed.newBuilder().setSession(session))
                      .build());
            });
  }

  void execute(Wire.Execute frame) throws MalformedFrame {
    Command command = limits.fitted(CommandFrames.read(frame));
    Protocol.require(frame.getSequence() > 0, "an operation has the sequence 0");
    Operation operation = new Operation(frame.getSession(), frame.getSequence());
    CompletableFuture<Long> engineSession = engineSessions.get(frame.getSession());
    if (engineSession == null) {
      answer(
          operation,
          Refusal.UNKNOWN_SESSION,
          "the session " + frame.getSession() + " is not open here; open a new one");
      return;
    }
    Optional<String> refusal = limits.refusal(command);
    if (refusal.isPresent()) {
      answer(operation, Refusal.LIMIT, refusal.get());
      return;
    }
    if (running.size() >= mostWaiting && !running.containsKey(operation)) {
      answer(
          operation,
          Refusal.LIMIT,
          "this connection has " + mostWaiting + " unanswered operations; wait for answers");
      return;
    }
    if (running.putIfAbsent(operation, command) != null) {
      return; // a retry of what is still under way: that answer is on its way
    }
    boolean waits = waits(command);
    if (!waits) {
      brief.incrementAndGet();
    }
    var unused =
        engineSession
            .thenCompose(
                session ->
                    engine.execute(
                        session, frame.getSequence(), frame.getLowestUnanswered(), command))
            .whenComplete(
                (reply, failure) -> {
                  running.remove(operation);
                  if (!waits) {
                    brief.decrementAndGet();
                  }
                  if (failure == null) {
                    answer(operation, reply);
                  } else {
                    LOG.warn("link {}: an operation had no answer", id, failure);
                    answer(
                        operation,
                        Refusal.OUTCOME_UNKNOWN,
                        "the space could not answer; it was done or not");
                  }
                });
  }

  /** Operations under way that end by themselves, unlike a take that waits for an entry. */
  int briefOperations() {
    return brief.get();
  }

  int waitingOperations() {
    return running.size();
  }

  /** Ends everything of this link: what waits is answered with nothing. */
  CompletableFuture<Void> end() {
    closed = true;
    transfers.close();
    CompletableFuture<?>[] closing =
        engineSessions.keySet().stream()
            .map(engineSessions::remove)
            .filter(java.util.Objects::nonNull)
            .map(open -> open.thenCompose(engine::close))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(closing)
        .handle(
            (nothing, failure) -> {
              if (failure != null) {
                LOG.warn("link {} did not end in order", id, failure);
              }
              return null;
            });
  }

  private void closeEngineSession(long engineSession) {
    var unused =
        engine
            .close(engineSession)
            .exceptionally(
                failure -> {
                  LOG.warn("link {}: a late session did not close in order", id, failure);
                  return null;
                });
  }

  private void tell(long session, SpaceEvent event) {
    // A hint may be lost, and must not pile up before a slow reader.
    connection
        .filter(there -> !there.isFull())
        .ifPresent(
            there ->
                there.send(
                    List.of(Frames.server().setEvent(ReplyFrames.write(session, event)).build())));
  }

  private void answer(Operation operation, Refusal code, String message) {
    answer(operation, new Reply.Refused(code, message));
  }

  private void answer(Operation operation, Reply reply) {
    connection.ifPresent(
        there ->
            there.send(
                ReplyFrames.write(operation.session(), operation.sequence(), reply).stream()
                    .map(part -> Frames.server().setExecuted(part).build())
                    .toList()));
  }

  private static boolean waits(Command command) {
    return command instanceof Command.Match match && match.timeoutMillis() > 0;
  }
}
