package io.gleaner.space;

import io.gleaner.leasing.Ticker;
import io.gleaner.space.Reply.Refusal;
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
 *
 * <p>A session that has ended, because its client stood still or its node began anew, is replaced
 * by a new one: what was not carried out for that reason is asked there, and what was under way is
 * answered {@link Refusal#OUTCOME_UNKNOWN} and never asked again.
 */
public final class Lanes {
  private static final long OPEN_SECONDS = 30;
  private static final long CLOSE_SECONDS = 5;
  private static final String CLOSED = "this client of the space is closed";
  private static final int MOST_SESSIONS_TRIED = 3;

  /** Sessions for waits that are kept while nobody waits in them. */
  private static final int MOST_IDLE = 16;

  private final SpaceEngine engine;
  private final String holder;
  private final Consumer<SpaceEvent> events;
  private final Ticker ticker = Ticker.system();
  private final Object replacing = new Object();
  private volatile Lane quick;
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

  /**
   * Sends a command that does not wait, and answers its reply. What changes the space is brought to
   * its end in spite of an interrupt; the caller sees the flag afterwards.
   */
  public Reply ask(Command command) throws RemoteException {
    try (Patience patience = new Patience()) {
      return askQuick(command, patience);
    }
  }

  private Reply askQuick(Command command, Patience patience) throws RemoteException {
    Lane lane = quick;
    Lane.Sent sent = send(lane, command, patience);
    Reply reply = replyTo(sent.reply());
    for (int tried = 1; isRefused(reply, Refusal.UNKNOWN_SESSION); tried++) {
      if (tried == MOST_SESSIONS_TRIED) {
        return reply;
      }
      lane = insteadOf(lane, patience);
      sent = send(lane, command, patience);
      reply = replyTo(sent.reply());
    }
    if (!isRefused(reply, Refusal.OUTCOME_UNKNOWN)) {
      return reply;
    }
    if (!lives(lane, sent, patience)) {
      insteadOf(lane, patience);
    }
    return outcome(command, reply);
  }

  private static Lane.Sent send(Lane lane, Command command, Patience patience)
      throws RemoteException {
    return patience.with(() -> lane.send(command));
  }

  /** The session for what is answered at once, in place of one that has ended. */
  private Lane insteadOf(Lane over, Patience patience) throws RemoteException {
    synchronized (replacing) {
      if (quick == over) {
        quick = patience.with(this::open);
        drop(over);
      }
      return quick;
    }
  }

  /** Asks the session's home, and ends the wait of what was sent if it goes on. */
  private static boolean lives(Lane lane, Lane.Sent sent, Patience patience)
      throws RemoteException {
    Reply reply = replyTo(send(lane, new Command.CancelWait(sent.sequence()), patience).reply());
    return reply instanceof Reply.Done || isRefused(reply, Refusal.STORAGE_SILENT);
  }

  /** What was done under a transaction that has ended with its session is known: nothing. */
  private Reply outcome(Command command, Reply unknown) throws RemoteException {
    long transaction = transactionOf(command);
    if (transaction != 0) {
      Reply state = ask(new Command.TransactionState(transaction));
      if (isRefused(state, Refusal.UNKNOWN_TRANSACTION)) {
        return state;
      }
    }
    return unknown;
  }

  /** The transaction under which the command works on entries, 0 for none. */
  private static long transactionOf(Command command) {
    if (command instanceof Command.Write c) {
      return c.transaction();
    } else if (command instanceof Command.Match c) {
      return c.transaction();
    } else if (command instanceof Command.Contents c) {
      return c.transaction();
    }
    return command instanceof Command.Register c ? c.transaction() : 0;
  }

  /**
   * Sends a command that may wait. An interrupt ends the wait; what was found by then is answered
   * all the same, with the thread's flag set, so that nothing taken is lost. What went back because
   * this process slept is waited for again.
   */
  Reply askAndWait(Command.Match match) throws RemoteException, InterruptedException {
    long begun = ticker.nanos();
    Reply reply = askIn(borrow(), match);
    int tried = 1;
    while (isRefused(reply, Refusal.GIVEN_BACK)
        || (isRefused(reply, Refusal.UNKNOWN_SESSION) && tried < MOST_SESSIONS_TRIED)) {
      boolean anew = isRefused(reply, Refusal.UNKNOWN_SESSION);
      tried += anew ? 1 : 0;
      long waitedMillis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - begun);
      Command.Match rest = match.within(Math.max(0, match.timeoutMillis() - waitedMillis));
      reply = askIn(anew ? open() : borrow(), rest);
    }
    return isRefused(reply, Refusal.OUTCOME_UNKNOWN) ? outcome(match, reply) : reply;
  }

  /** Nothing but waits is in the session: if it may have ended, it is not used any more. */
  private Reply askIn(Lane lane, Command.Match match) throws RemoteException, InterruptedException {
    boolean over = false;
    try {
      Reply reply = askOnce(lane, match);
      over = isRefused(reply, Refusal.UNKNOWN_SESSION) || isRefused(reply, Refusal.OUTCOME_UNKNOWN);
      return reply;
    } finally {
      if (over) {
        drop(lane);
      } else {
        giveBack(lane);
      }
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

  private static boolean isRefused(Reply reply, Refusal code) {
    return reply instanceof Reply.Refused refused && refused.code() == code;
  }

  private static Reply endWait(Lane lane, Lane.Sent sent, InterruptedException cause)
      throws RemoteException, InterruptedException {
    lane.send(new Command.CancelWait(sent.sequence()));
    Reply reply = replyTo(sent.reply());
    if (isRefused(reply, Refusal.GIVEN_BACK)
        || isRefused(reply, Refusal.UNKNOWN_SESSION)
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

  /** A few are kept for the next waits; a session costs the node and the connection something. */
  private void giveBack(Lane lane) {
    synchronized (this) {
      if (idle.size() < MOST_IDLE) {
        idle.push(lane);
        return;
      }
    }
    drop(lane);
  }

  private void drop(Lane lane) {
    synchronized (this) {
      all.remove(lane);
    }
    var unused = engine.close(lane.session());
  }

  private Lane open() throws RemoteException, InterruptedException {
    synchronized (this) {
      if (closed) {
        throw new RemoteException(CLOSED);
      }
    }
    CompletableFuture<Long> opening = engine.open(holder, events);
    try {
      Lane lane = new Lane(engine, opening.get(OPEN_SECONDS, TimeUnit.SECONDS));
      synchronized (this) {
        if (closed) {
          var unused = engine.close(lane.session());
          throw new RemoteException(CLOSED);
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
