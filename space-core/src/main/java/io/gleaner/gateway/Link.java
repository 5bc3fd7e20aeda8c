package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.blob.UserBlobs;
import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.leasing.Ticker;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.secrets.Secret;
import io.gleaner.space.Command;
import io.gleaner.space.NodeEngine;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SessionName;
import io.gleaner.space.SpaceEvent;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What the node keeps of one client while connections come and go: its sessions, its unanswered
 * operations, its transfers. Safe for all threads.
 *
 * <p>An answer goes to the connection that is there when it is ready. Without one it is dropped:
 * the client asks again after its return, and the engine still has it.
 */
final class Link {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);

  /** How often the limits there is room for what is asked again or accepted. */
  private static final int TIMES_FOR_OLD = 2;

  private static final SecureRandom NUMBERS = new SecureRandom();
  private static final CompletableFuture<Void> NOTHING_HANDED =
      CompletableFuture.completedFuture(null);
  private static final Reply.Refused GONE =
      new Reply.Refused(
          Refusal.OUTCOME_UNKNOWN,
          "the session ended while its client was away; what was asked in it was done or not");

  /**
   * What was asked.
   *
   * @param accepts whether it is the receipt for what the operation was answered
   */
  private record Operation(long session, long sequence, boolean accepts) {}

  /** An operation under way, and the bytes of its request; no two are equal. */
  private static final class Asked {
    final int bytes;
    private volatile Optional<CompletableFuture<Reply>> answer = Optional.empty();

    Asked(int bytes) {
      this.bytes = bytes;
    }

    CompletableFuture<Reply> of(CompletableFuture<Reply> engine) {
      answer = Optional.of(engine);
      return engine;
    }

    void cancel() {
      answer.ifPresent(each -> each.cancel(false));
    }
  }

  /** A session as this node holds it: its number in the space, 0 if it is no more. */
  private record Held(long tenure, CompletableFuture<Long> opened) {}

  final long id;
  final Secret resumeKey = Secret.random();
  final JoinGrant grant;
  final String name;
  final ServerTransfers transfers;
  final OwnerUse use;

  private final NodeEngine engine;
  private final UserBlobs blobs;
  private final CommandLimits limits;
  private final LinkRights rights;
  private final int mostWaiting;
  private final Ticker ticker;
  private final Map<Long, Held> sessions = new ConcurrentHashMap<>();
  private final Map<Operation, Asked> running = new ConcurrentHashMap<>();
  private final AtomicInteger brief = new AtomicInteger();
  private final AtomicLong forbidden = new AtomicLong();
  private volatile Optional<ServerConnection> connection = Optional.empty();
  private volatile long awaySinceNanos;
  private volatile boolean closed;
  private volatile boolean left;

  Link(
      long id,
      JoinGrant grant,
      String name,
      NodeEngine engine,
      GatewaySettings settings,
      OwnerUse use,
      Ticker ticker,
      BlobDesk blobs,
      LinkRights rights) {
    this.id = id;
    this.grant = grant;
    this.name = name;
    this.engine = engine;
    this.limits = new CommandLimits(settings);
    this.mostWaiting = settings.waitingOperations();
    this.use = use;
    this.rights = rights;
    this.ticker = ticker;
    this.blobs = blobs.blobs();
    this.transfers =
        new ServerTransfers(
            blobs,
            use,
            () -> rights.asks().or(() -> use.asks(0, 1)),
            new ServerTransfers.Way() {
              @Override
              public void send(Message frame) {
                Link.this.send(frame);
              }

              @Override
              public boolean hasRoom() {
                return connection.map(ServerConnection::hasRoomForChunk).orElse(true);
              }
            });
    this.awaySinceNanos = ticker.nanos();
  }

  /** The connection takes the link over, from an older one if there is one. */
  synchronized Optional<ServerConnection> attach(ServerConnection arrived) {
    Optional<ServerConnection> before = connection;
    connection = Optional.of(arrived);
    transfers.goOn();
    return before;
  }

  /** The connection is gone; nothing happens if another has taken over. */
  synchronized void detach(ServerConnection gone) {
    if (connection.isPresent() && connection.get() == gone) {
      connection = Optional.empty();
      awaySinceNanos = ticker.nanos();
      leave();
      transfers.goOn();
    }
  }

  /** This node ends, and the sessions go on without it. */
  void endHere() {
    left = true;
    leave();
  }

  /** Leaves the sessions to their leases: the client comes back here or to another node. */
  void leave() {
    for (Held held : sessions.values()) {
      var unused = held.opened.thenAccept(session -> engine.leave(session, held.tenure));
    }
  }

  /** How long no connection was there, or a negative number if one is. */
  long awayNanos() {
    return connection.isPresent() ? -1 : ticker.nanos() - awaySinceNanos;
  }

  Optional<ServerConnection> connection() {
    return connection;
  }

  /** What its connection has the node hold. */
  long heldBytes() {
    return connection.map(ServerConnection::heldBytes).orElse(0L);
  }

  void send(Message frame) {
    connection.ifPresent(there -> there.send(List.of(frame)));
  }

  void open(Wire.OpenSession frame) throws MalformedFrame {
    long session = frame.getSession();
    Protocol.require(session > 0, "a session has the number " + session);
    Protocol.require(
        frame.getHolder().length() <= 128, "the holder of a session has a name too long");
    Protocol.require(
        frame.getName() != 0 || !frame.getResume(), "a session without a name cannot be resumed");
    if (!sessions.containsKey(session) && sessions.size() >= mostWaiting) {
      throw new MalformedFrame("more than " + mostWaiting + " sessions in one connection");
    }
    Held mine = new Held(frame.getTenure(), new CompletableFuture<>());
    Held held =
        sessions.compute(
            session, (s, known) -> known != null && known.tenure >= mine.tenure ? known : mine);
    if (held.equals(mine)) {
      Optional<String> tooMuch =
          rights.asks().or(() -> use.asks(frame.getSerializedSize(), TIMES_FOR_OLD));
      if (tooMuch.isPresent()) {
        sessions.remove(session, mine);
        connection.ifPresent(there -> there.fail(Wire.Error.Code.LIMIT, tooMuch.get()));
        return;
      }
      hold(frame, mine);
    }
    var unused =
        held.opened.whenComplete(
            (number, failure) -> {
              if (failure == null) {
                opened(session, number == 0);
              } else {
                LOG.warn("link {}: session {} could not be opened", id, session, failure);
                sessions.remove(session, held);
              }
            });
    if (closed) {
      var unusedEnd = end(held);
    }
  }

  private void hold(Wire.OpenSession frame, Held held) {
    String holder =
        grant.owner() + "/" + name + (frame.getHolder().isEmpty() ? "" : "/" + frame.getHolder());
    long number = frame.getName() != 0 ? frame.getName() : NUMBERS.nextLong();
    long session = frame.getSession();
    var unused =
        engine
            .open(
                new SessionName(holder, number),
                held.tenure,
                !frame.getResume(),
                event -> tell(session, event))
            .whenComplete(
                (opened, failure) -> {
                  use.answered(frame.getSerializedSize());
                  if (failure == null) {
                    held.opened.complete(opened);
                  } else {
                    held.opened.completeExceptionally(failure);
                  }
                });
  }

  private void opened(long session, boolean gone) {
    send(
        Frames.server()
            .setSessionOpened(Wire.SessionOpened.newBuilder().setSession(session).setGone(gone))
            .build());
  }

  void close(long session) {
    Held held = sessions.remove(session);
    CompletableFuture<Void> done =
        held == null ? CompletableFuture.completedFuture(null) : end(held);
    var unused =
        done.thenRun(
            () ->
                send(
                    Frames.server()
                        .setSessionClosed(Wire.SessionClosed.newBuilder().setSession(session))
                        .build()));
  }

  /** Ends a session in the space, unless its client holds it elsewhere by now. */
  private CompletableFuture<Void> end(Held held) {
    use.asks();
    return held.opened
        .thenCompose(
            session ->
                session == 0
                    ? CompletableFuture.<Void>completedFuture(null)
                    : engine.close(session, held.tenure))
        .whenComplete((done, failure) -> use.answered(0))
        .exceptionally(
            failure -> {
              LOG.warn("link {}: a session did not close in order", id, failure);
              return null;
            });
  }

  void execute(Wire.Execute frame) throws MalformedFrame {
    Command command = rights.fitted(limits.fitted(CommandFrames.read(frame)));
    Protocol.require(frame.getSequence() > 0, "an operation has the sequence 0");
    Protocol.require(
        !frame.getAccept() || (command instanceof Command.Match m && m.mayNeedReceipt()),
        "only a take that waits, without a transaction, is accepted");
    Operation operation = new Operation(frame.getSession(), frame.getSequence(), frame.getAccept());
    Held held = sessions.get(frame.getSession());
    if (held == null) {
      boolean isNew = !frame.getAgain() && !frame.getAccept();
      answer(
          operation,
          isNew ? Refusal.UNKNOWN_SESSION : Refusal.OUTCOME_UNKNOWN,
          "the session " + frame.getSession() + " is not open here; open a new one");
      return;
    }
    Optional<String> refusal = limits.refusal(command);
    if (refusal.isPresent()) {
      answer(operation, Refusal.LIMIT, refusal.get());
      return;
    }
    int times = frame.getAgain() || frame.getAccept() ? TIMES_FOR_OLD : 1;
    if (running.size() >= times * mostWaiting && !running.containsKey(operation)) {
      refuse(
          operation,
          times,
          "this connection has " + running.size() + " unanswered operations; wait for answers");
      return;
    }
    int bytes = frame.getSerializedSize();
    Asked asked = new Asked(bytes);
    if (running.putIfAbsent(operation, asked) != null) {
      return; // a retry of what is still under way: that answer is on its way
    }
    Optional<String> tooMuch =
        (times == 1 ? rights.asks() : rights.repeats()).or(() -> use.asks(bytes, times));
    if (tooMuch.isPresent()) {
      running.remove(operation, asked);
      refuse(operation, times, tooMuch.get());
      return;
    }
    boolean waits = !frame.getAccept() && waits(command);
    if (!waits) {
      brief.incrementAndGet();
    }
    var unused =
        rights
            .allow(command, frame.getAgain(), allowed -> carryOut(held, asked, frame, allowed))
            .thenCompose(reply -> hand(reply).thenApply(done -> reply))
            .whenComplete(
                (reply, failure) -> {
                  if (!waits) {
                    brief.decrementAndGet();
                  }
                  if (!forget(operation, asked)) {
                    return; // the link has ended
                  }
                  if (failure == null) {
                    rights.answered(reply);
                    noteForbidden(command, reply);
                    answer(operation, reply);
                  } else if (!left) {
                    LOG.warn("link {}: an operation had no answer", id, failure);
                    answer(
                        operation,
                        Refusal.OUTCOME_UNKNOWN,
                        "the space could not answer; it was done or not");
                  }
                });
  }

  private CompletableFuture<Reply> carryOut(
      Held held, Asked asked, Wire.Execute frame, Command command) {
    return held.opened.thenCompose(
        session ->
            session == 0
                ? CompletableFuture.<Reply>completedFuture(GONE)
                : asked.of(
                    engine.execute(
                        session,
                        frame.getSequence(),
                        frame.getLowestUnanswered(),
                        command,
                        frame.getAccept() ? Receipt.GIVEN : Receipt.AWAITED)));
  }

  private void noteForbidden(Command command, Reply reply) {
    if (reply instanceof Reply.Refused refused && refused.code() == Refusal.FORBIDDEN) {
      long count = forbidden.incrementAndGet();
      // The first, and then ever fewer: a hostile client is not to fill the log.
      LOG.atLevel(Long.bitCount(count) == 1 ? Level.WARN : Level.DEBUG)
          .log(
              "link {} is refused a {}, its refusal {}: {}",
              id,
              command.getClass().getSimpleName(),
              count,
              refused.message());
    }
  }

  /** What may have been done is not refused: its client comes back when there is room. */
  private void refuse(Operation operation, int times, String why) {
    if (times == 1) {
      answer(operation, Refusal.OVERLOADED, why);
    } else {
      connection.ifPresent(there -> there.fail(Wire.Error.Code.LIMIT, why));
    }
  }

  private boolean forget(Operation operation, Asked asked) {
    boolean known = running.remove(operation, asked);
    if (known) {
      use.answered(asked.bytes);
    }
    return known;
  }

  /** What its client asks elsewhere by now: nobody hears an answer here. */
  private void forgetAll() {
    running.forEach(
        (operation, asked) -> {
          if (forget(operation, asked)) {
            asked.cancel();
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
    return CompletableFuture.allOf(
            sessions.keySet().stream()
                .map(sessions::remove)
                .filter(Objects::nonNull)
                .map(this::end)
                .toArray(CompletableFuture<?>[]::new))
        .thenRun(this::forgetAll);
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
                () ->
                    ReplyFrames.write(operation.session(), operation.sequence(), reply).stream()
                        .map(part -> Frames.server().setExecuted(part).build())
                        .toList()));
  }

  /** A device that is handed an entry may read the blobs that it names, at every node. */
  private CompletableFuture<Void> hand(Reply reply) {
    if (reply instanceof Reply.Matched matched) {
      return hand(matched.entries());
    } else if (reply instanceof Reply.Reserved reserved) {
      return hand(reserved.entries());
    } else if (reply instanceof Reply.Listed listed) {
      return hand(listed.entries());
    }
    return NOTHING_HANDED;
  }

  private CompletableFuture<Void> hand(List<EncodedEntry> entries) {
    Set<String> named = new HashSet<>();
    entries.forEach(entry -> named.addAll(rights.handed(entry)));
    return named.isEmpty() ? NOTHING_HANDED : blobs.handed(grant.owner(), named);
  }

  private static boolean waits(Command command) {
    return command instanceof Command.Match match && match.timeoutMillis() > 0;
  }
}
