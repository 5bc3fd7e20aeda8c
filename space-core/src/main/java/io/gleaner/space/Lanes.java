package io.gleaner.space;

import io.gleaner.leasing.Ticker;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The sessions of one client: one for what is answered at once, and as many for what waits as wait
 * at the same time, so that a long wait never fills the window of the others. Safe for all threads.
 */
public final class Lanes {
  private static final long OPEN_SECONDS = 30;
  private static final long CLOSE_SECONDS = 5;

  private final SpaceEngine engine;
  private final String holder;
  private final Consumer<SpaceEvent> events;
  private final Ticker ticker = Ticker.system();
  private final Lane quick;
  private final Deque<Lane> idle = new ArrayDeque<>();
  private final List<Lane> all = new ArrayList<>();
  private boolean closed;

  /**
   * Opens the first session.
   *
   * @param holder who it belongs to, for messages and limits
   */
  public Lanes(SpaceEngine engine, String holder, Consumer<SpaceEvent> events)
      throws RemoteException {
    this.engine = engine;
    this.holder = holder;
    this.events = events;
    try {
      this.quick = open();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RemoteException("interrupted while a session was opened", e);
    }
  }

  /** Sends a command that does not wait, and answers its reply. */
  public Reply ask(Command command) throws RemoteException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return replyTo(quick.send(command).reply());
        } catch (InterruptedException e) {
          // What changes the space is brought to its end; the caller sees the flag afterwards.
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Sends a command that may wait. An interrupt ends the wait; what was found by then is answered
   * all the same, with the thread's flag set, so that nothing taken is lost. What went back because
   * this process slept is waited for again.
   */
  Reply askAndWait(Command.Match match) throws RemoteException, InterruptedException {
    Lane lane = borrow();
    try {
      long begun = ticker.nanos();
      Reply reply = askOnce(lane, match);
      while (wentBack(reply)) {
        long waitedMillis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - begun);
        reply = askOnce(lane, match.within(Math.max(0, match.timeoutMillis() - waitedMillis)));
      }
      return reply;
    } finally {
      giveBack(lane);
    }
  }

  private static Reply askOnce(Lane lane, Command.Match match)
      throws RemoteException, InterruptedException {
    Lane.Sent sent = lane.send(match);
    try {
      return sent.reply().get();
    } catch (InterruptedException e) {
      return endWait(lane, sent, e);
    } catch (ExecutionException e) {
      throw lost(e);
    }
  }

  private static boolean wentBack(Reply reply) {
    return reply instanceof Reply.Refused refused && refused.code() == Reply.Refusal.GIVEN_BACK;
  }

  private static Reply endWait(Lane lane, Lane.Sent sent, InterruptedException cause)
      throws RemoteException, InterruptedException {
    lane.send(new Command.CancelWait(sent.sequence()));
    Reply reply = replyTo(sent.reply());
    if (wentBack(reply)
        || (reply instanceof Reply.Matched matched && matched.entries().isEmpty())) {
      throw cause;
    }
    Thread.currentThread().interrupt();
    return reply;
  }

  private static Reply replyTo(CompletableFuture<Reply> reply) throws RemoteException {
    try {
      return reply.join();
    } catch (java.util.concurrent.CompletionException e) {
      throw lost(e);
    }
  }

  private Lane borrow() throws RemoteException, InterruptedException {
    synchronized (this) {
      if (!idle.isEmpty()) {
        return idle.pop();
      }
    }
    return open();
  }

  private synchronized void giveBack(Lane lane) {
    idle.push(lane);
  }

  private Lane open() throws RemoteException, InterruptedException {
    CompletableFuture<Long> opening = engine.open(holder, events);
    try {
      Lane lane = new Lane(engine, opening.get(OPEN_SECONDS, TimeUnit.SECONDS));
      synchronized (this) {
        if (closed) {
          var unused = engine.close(lane.session());
          throw new RemoteException("this client of the space is closed");
        }
        all.add(lane);
      }
      return lane;
    } catch (ExecutionException e) {
      throw lost(e);
    } catch (TimeoutException e) {
      endOnceOpen(opening);
      throw new RemoteException("the space opened no session within " + OPEN_SECONDS + " s", e);
    } catch (InterruptedException e) {
      endOnceOpen(opening);
      throw e;
    }
  }

  /** Nobody waits for the session any more: it is not to be kept alive for ever. */
  private void endOnceOpen(CompletableFuture<Long> opening) {
    var unused = opening.thenCompose(engine::close);
  }

  /** Ends all sessions and waits a little until their transactions are over. */
  public void close() {
    List<Lane> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(all);
      all.clear();
    }
    CompletableFuture<?>[] ends =
        open.stream().map(lane -> engine.close(lane.session())).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(ends)
        .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(failure -> null)
        .join();
  }

  private static RemoteException lost(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new RemoteException("the space does not answer: " + cause.getMessage(), cause);
  }
}
