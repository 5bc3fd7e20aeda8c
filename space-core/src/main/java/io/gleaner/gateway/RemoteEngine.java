package io.gleaner.gateway;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.Reply.Refusal;
import io.gleaner.space.SpaceEngine;
import io.gleaner.space.SpaceEvent;
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
 * <p>If the node no longer knows the link, operations under way end with {@link
 * Refusal#OUTCOME_UNKNOWN} and the sessions are gone: later operations of theirs end with {@link
 * Refusal#UNKNOWN_SESSION}.
 */
final class RemoteEngine implements SpaceEngine, ClientLink.User {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteEngine.class);

  private record Operation(long session, long sequence) {}

  private record Pending(
      Wire.ClientFrame frame, CompletableFuture<Reply> reply, List<Wire.Executed> parts) {}

  private record Opening(
      Wire.ClientFrame frame, CompletableFuture<Long> opened, Consumer<SpaceEvent> events) {}

  private record Closing(Wire.ClientFrame frame, CompletableFuture<Void> closed) {}

  private final AtomicLong lastSession = new AtomicLong();
  private final Map<Long, Opening> opening = new ConcurrentHashMap<>();
  private final Map<Long, Closing> closing = new ConcurrentHashMap<>();
  private final Map<Long, Consumer<SpaceEvent>> sessions = new ConcurrentHashMap<>();
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
    long session = lastSession.incrementAndGet();
    Wire.ClientFrame frame =
        Frames.client()
            .setOpenSession(Wire.OpenSession.newBuilder().setSession(session).setHolder(holder))
            .build();
    Opening asked = new Opening(frame, new CompletableFuture<>(), events);
    opening.put(session, asked);
    send(frame);
    lost.ifPresent(this::failAll);
    return asked.opened;
  }

  @Override
  public CompletableFuture<Reply> execute(
      long session, long sequence, long lowestUnanswered, Command command) {
    if (!sessions.containsKey(session) && lost.isEmpty()) {
      return CompletableFuture.completedFuture(unknownSession());
    }
    Wire.ClientFrame frame =
        Frames.client()
            .setExecute(CommandFrames.write(session, sequence, lowestUnanswered, command))
            .build();
    int limitBytes = link.map(l -> l.welcome().getLimits().getFrameBytes()).orElse(0);
    if (frame.getSerializedSize() > limitBytes) {
      return CompletableFuture.completedFuture(
          new Reply.Refused(
              Refusal.LIMIT,
              "this operation has "
                  + frame.getSerializedSize()
                  + " bytes, the gateway takes at most "
                  + limitBytes
                  + "; write fewer or smaller entries at a time"));
    }
    Pending asked = new Pending(frame, new Answer<>(this::readFor), new ArrayList<>(1));
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
    if (sessions.remove(session) == null || lost.isPresent()) {
      return CompletableFuture.completedFuture(null);
    }
    Wire.ClientFrame frame =
        Frames.client().setCloseSession(Wire.CloseSession.newBuilder().setSession(session)).build();
    Closing asked = new Closing(frame, new CompletableFuture<>());
    closing.put(session, asked);
    send(frame);
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
        long session = frame.getSessionOpened().getSession();
        Opening asked = opening.remove(session);
        if (asked != null) {
          sessions.put(session, asked.events);
          asked.opened.complete(session);
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
        Consumer<SpaceEvent> events = sessions.get(frame.getEvent().getSession());
        if (events != null) {
          tell(events, ReplyFrames.read(frame.getEvent()));
        }
      }
      default -> {
        // Blobs are not this user's.
      }
    }
  }

  @Override
  public void resumed() {
    opening.values().forEach(asked -> send(asked.frame));
    pending
        .values()
        .forEach(
            asked -> {
              asked.parts.clear();
              send(asked.frame);
            });
    closing.values().forEach(asked -> send(asked.frame));
  }

  /** Whether sessions were lost: for good with their link, or because the node forgot it. */
  boolean isOver() {
    return forgotten || lost.isPresent();
  }

  @Override
  public void replaced() {
    forgotten = true;
    sessions.clear();
    Reply unknown =
        new Reply.Refused(
            Refusal.OUTCOME_UNKNOWN,
            "the connection was away for too long or the node restarted; it was done or not");
    pending
        .keySet()
        .forEach(
            operation -> {
              Pending asked = pending.remove(operation);
              if (asked != null) {
                asked.reply.complete(unknown);
              }
            });
    closing.keySet().forEach(session -> closing.remove(session).closed.complete(null));
    opening.values().forEach(asked -> send(asked.frame));
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

  private void answered(Wire.Executed part) throws MalformedFrame {
    Operation operation = new Operation(part.getSession(), part.getSequence());
    Pending asked = pending.get(operation);
    if (asked == null) {
      return; // the second answer of a retried operation
    }
    asked.parts.add(part);
    if (!part.getMore() && pending.remove(operation, asked)) {
      asked.reply.complete(ReplyFrames.read(asked.parts));
    }
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
