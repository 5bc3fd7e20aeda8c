package io.gleaner.gateway;

import com.google.protobuf.Message;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceEvent;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space behind a gateway. What has no answer is asked again when the connection is back, under
 * the same number, so that it has its effect once. Safe for all threads; futures complete on the
 * thread that reads, which may be one that joins another answer, and must not be blocked.
 *
 * <p>After each new connection, to this node or another, the sessions are taken up again by their
 * names. Where one is no more, its operations under way end with {@link Refusal#OUTCOME_UNKNOWN},
 * and later ones with {@link Refusal#UNKNOWN_SESSION}.
 */
final class RemoteEngine implements SpaceEngine, ClientLink.User {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteEngine.class);

  private static final SecureRandom NAMES = new SecureRandom();

  /** What is said with an operation when it is repeated, at most. */
  private static final int REPEATING_BYTES = 16;

  private record Operation(long session, long sequence) {}

  /**
   * What was asked and has no answer, or none for good.
   *
   * @param reserved what was found, while the node has not said yet that it is the caller's
   */
  private record Pending(
      Wire.ClientFrame frame,
      CompletableFuture<Reply> reply,
      List<Wire.Executed> parts,
      Optional<Reply.Reserved> reserved) {

    Pending(Wire.ClientFrame frame, CompletableFuture<Reply> reply) {
      this(frame, reply, new ArrayList<>(1), Optional.empty());
    }

    /** The same, by another connection. */
    Wire.ClientFrame again() {
      return Frames.client().setExecute(frame.getExecute().toBuilder().setAgain(true)).build();
    }

    /** The same again: what was found has arrived. */
    Pending accepting(Reply.Reserved found) {
      return new Pending(
          Frames.client().setExecute(frame.getExecute().toBuilder().setAccept(true)).build(),
          reply,
          new ArrayList<>(1),
          Optional.of(found));
    }
  }

  private record Session(long name, String holder, Consumer<SpaceEvent> events) {
    Wire.ClientFrame opening(long number, long tenure, boolean resume) {
      return Frames.client()
          .setOpenSession(
              Wire.OpenSession.newBuilder()
                  .setSession(number)
                  .setHolder(holder)
                  .setName(name)
                  .setTenure(tenure)
                  .setResume(resume))
          .build();
    }
  }

  private record Opening(Session session, CompletableFuture<Long> opened) {}

  private record Closing(Session session, CompletableFuture<Void> closed) {}

  private final AtomicLong lastSession = new AtomicLong();
  private final Map<Long, Opening> opening = new ConcurrentHashMap<>();
  private final Map<Long, Closing> closing = new ConcurrentHashMap<>();
  private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
  private final Map<Operation, Pending> pending = new ConcurrentHashMap<>();
  private volatile Optional<ClientLink> link = Optional.empty();
  private volatile Optional<GatewayException> lost = Optional.empty();
  private volatile boolean forgotten;

  /** Tells by which link to ask; called once, before anything else. */
  void use(ClientLink its) {
    link = Optional.of(its);
  }

  @Override
  public CompletableFuture<Long> open(String holder, Consumer<SpaceEvent> events) {
    int most = link.map(l -> l.welcome().getLimits().getWaitingOperations()).orElse(0);
    if (most > 0 && sessions.size() + opening.size() >= most) {
      return CompletableFuture.failedFuture(
          new GatewayException(
              GatewayException.Code.LIMIT,
              "this connection has "
                  + most
                  + " sessions, one for each tuple space and each thread that waits in it, and"
                  + " the gateway allows no more; wait in fewer threads, or open another"
                  + " connection"));
    }
    long session = lastSession.incrementAndGet();
    Session its = new Session(NAMES.nextLong() | 1, holder, events);
    Opening asked = new Opening(its, new CompletableFuture<>());
    opening.put(session, asked);
    link.ifPresent(l -> l.sendNow(its.opening(session, l.tenure(), false)));
    lost.ifPresent(this::failAll);
    return asked.opened;
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command) {
    if (!sessions.containsKey(session) && lost.isEmpty()) {
      return CompletableFuture.completedFuture(unknownSession());
    }
    if (command instanceof Command.ListForeign) {
      return CompletableFuture.completedFuture(
          new Reply.Refused(
              Refusal.FORBIDDEN,
              "a gateway does not tell what is open of other managers' transactions; ask in the"
                  + " process of a node"));
    }
    Wire.ClientFrame frame =
        Frames.client()
            .setExecute(CommandFrames.write(session, sequence, lowestUnanswered, command))
            .build();
    int limitBytes = link.map(l -> l.welcome().getLimits().getFrameBytes()).orElse(0);
    if (frame.getSerializedSize() + REPEATING_BYTES > limitBytes) {
      return CompletableFuture.completedFuture(
          new Reply.Refused(
              Refusal.LIMIT,
              "this operation has "
                  + frame.getSerializedSize()
                  + " bytes, the gateway takes at most "
                  + limitBytes
                  + "; write fewer or smaller entries at a time"));
    }
    Pending asked = new Pending(frame, new Answer<>(this::readFor));
    Operation operation = new Operation(session, sequence);
    Pending before = pending.putIfAbsent(operation, asked);
    if (before != null) {
      return before.reply;
    }
    send(frame);
    // The link may have been lost or replaced since this method began.
    lost.ifPresent(this::failAll);
    if (!sessions.containsKey(session) && pending.remove(operation, asked)) {
      asked.reply.complete(unknownSession());
    }
    return asked.reply;
  }

  @Override
  public CompletableFuture<Void> close(long session) {
    Session its = sessions.get(session);
    if (its == null || lost.isPresent()) {
      sessions.remove(session);
      return CompletableFuture.completedFuture(null);
    }
    Closing asked = new Closing(its, new CompletableFuture<>());
    Closing before = closing.putIfAbsent(session, asked);
    if (before != null) {
      return before.closed;
    }
    // A new connection takes it up from one map or the other, so that it can be closed there.
    sessions.remove(session);
    sendClosing(session);
    lost.ifPresent(this::failAll);
    return asked.closed;
  }

  /** Ends all sessions and the connection. */
  @Override
  public void close() {
    link.ifPresent(
        l -> {
          var unused = l.close();
        });
  }

  @Override
  public void received(Wire.ServerFrame frame) throws MalformedFrame {
    switch (frame.getBodyCase()) {
      case SESSION_OPENED -> {
        if (frame.getSessionOpened().getGone()) {
          gone(frame.getSessionOpened().getSession());
        } else {
          opened(frame.getSessionOpened().getSession());
        }
      }
      case SESSION_CLOSED -> {
        Closing asked = closing.remove(frame.getSessionClosed().getSession());
        if (asked != null) {
          asked.closed.complete(null);
        }
      }
      case EXECUTED -> answered(frame.getExecuted());
      case EVENT -> {
        Session session = sessions.get(frame.getEvent().getSession());
        if (session != null) {
          tell(session.events, ReplyFrames.read(frame.getEvent()));
        }
      }
      default -> {
        // Blobs are not this user's.
      }
    }
  }

  @Override
  public void arrived(long tenure, Consumer<Message> way) {
    // In this order: a session leaves the first map when it is in the second.
    opening.forEach((number, asked) -> way.accept(asked.session.opening(number, tenure, false)));
    sessions.forEach((number, its) -> way.accept(its.opening(number, tenure, true)));
    closing.forEach((number, asked) -> way.accept(asked.session.opening(number, tenure, true)));
  }

  @Override
  public void resumed() {
    // Asked for after the sessions had been taken up, and before anything could be sent.
    link.ifPresent(
        l ->
            opening.forEach(
                (number, asked) -> l.sendNow(asked.session.opening(number, l.tenure(), false))));
    pending
        .values()
        .forEach(
            asked -> {
              asked.parts.clear();
              send(asked.again());
            });
    closing.keySet().forEach(this::sendClosing);
  }

  /** The new link, perhaps of another node, takes up the sessions like the old one. */
  @Override
  public void replaced() {
    resumed();
  }

  /** Whether the connection is lost for good. */
  boolean isOver() {
    return lost.isPresent();
  }

  /** Whether a session had ended when the connection came back. */
  boolean hasLostSessions() {
    return forgotten;
  }

  @Override
  public void lost(GatewayException why) {
    lost = Optional.of(why);
    failAll(why);
  }

  private void failAll(GatewayException why) {
    pending.forEach(
        (operation, asked) -> {
          if (pending.remove(operation, asked)) {
            asked.reply.completeExceptionally(why);
          }
        });
    opening.forEach(
        (session, asked) -> {
          if (opening.remove(session, asked)) {
            asked.opened.completeExceptionally(why);
          }
        });
    closing.forEach(
        (session, asked) -> {
          if (closing.remove(session, asked)) {
            asked.closed.complete(null);
          }
        });
  }

  private void opened(long session) {
    Opening asked = opening.get(session);
    if (asked != null) {
      sessions.put(session, asked.session);
      opening.remove(session);
      asked.opened.complete(session);
    }
  }

  /** The session has ended while the client was away. */
  private void gone(long session) {
    if (sessions.remove(session) == null) {
      return;
    }
    forgotten = true;
    sendClosing(session);
    Reply unknown =
        new Reply.Refused(
            Refusal.OUTCOME_UNKNOWN,
            "the connection was away for too long or the node restarted; it was done or not");
    pending.forEach(
        (operation, asked) -> {
          if (operation.session == session && pending.remove(operation, asked)) {
            asked.reply.complete(unknown);
          }
        });
  }

  private void answered(Wire.Executed part) throws MalformedFrame {
    Operation operation = new Operation(part.getSession(), part.getSequence());
    Pending asked = pending.get(operation);
    if (asked == null) {
      return; // the second answer of a retried operation
    }
    asked.parts.add(part);
    if (part.getMore()) {
      return;
    }
    Reply reply = ReplyFrames.read(asked.parts);
    if (reply instanceof Reply.Reserved found) {
      asked.parts.clear();
      accept(operation, asked, found);
    } else if (pending.remove(operation, asked)) {
      boolean accepted = reply instanceof Reply.Done && asked.reserved.isPresent();
      asked.reply.complete(accepted ? new Reply.Matched(asked.reserved.get().entries()) : reply);
    }
  }

  /** Tells the node that what it keeps for a take has arrived, unless it was told. */
  private void accept(Operation operation, Pending asked, Reply.Reserved found) {
    Pending accepting = asked.accepting(found);
    if (asked.reserved.isEmpty() && pending.replace(operation, asked, accepting)) {
      send(accepting.frame);
    }
  }

  private void sendClosing(long session) {
    send(
        Frames.client()
            .setCloseSession(Wire.CloseSession.newBuilder().setSession(session))
            .build());
  }

  private void send(Wire.ClientFrame frame) {
    link.ifPresent(l -> l.sendNow(frame));
  }

  private void readFor(CompletableFuture<?> answer) {
    link.ifPresent(l -> l.readFor(answer));
  }

  private static void tell(Consumer<SpaceEvent> events, SpaceEvent event) {
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("a listener of events failed", e);
    }
  }

  private static Reply unknownSession() {
    return new Reply.Refused(
        Refusal.UNKNOWN_SESSION,
        "the session is closed, or was lost with its connection; open a new one");
  }
}
