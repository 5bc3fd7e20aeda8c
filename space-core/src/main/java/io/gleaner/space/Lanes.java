package io.gleaner.space;

import io.gleaner.leasing.Ticker;
import io.gleaner.space.Reply.Refusal;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The sessions of one client: one for what is answered at once, and as many for what waits as wait
 * at the same time, so that a long wait never fills the window of the others. Safe for all threads.
 *
 * <p>A session that has ended, because its client stood still or its node began anew, is replaced
 * by a new one: what was not carried out for that reason is asked there, and what was under way is
 * answered {@link Refusal#OUTCOME_UNKNOWN} and never asked again.
 */
public final class Lanes {
  private static final long OPEN_MILLIS = 30_000;

  /** What an operation that may wait less lets a silent node take to open a session. */
  private static final long SHORT_OPEN_MILLIS = 5_000;

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
  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
  private volatile boolean closed; // changed under the monitor

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
      this.quick = open(OPEN_MILLIS);
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
    for (int tried = 1; ; tried++) {
      Lane.Sent sent = send(lane, command, patience);
      Reply reply = replyTo(sent.reply());
      boolean unknown = isRefused(reply, Refusal.OUTCOME_UNKNOWN);
      boolean anew = isRefused(reply, Refusal.UNKNOWN_SESSION);
      boolean last = tried == MOST_SESSIONS_TRIED || (unknown && mayHaveEffect(command));
      if (unknown ? !lives(lane, sent, patience) : anew && !last) {
        lane = insteadOf(lane, patience);
      }
      if (last || (!unknown && !anew)) {
        return unknown ? outcome(command, reply) : reply;
      }
    }
  }

  /** Whether it is not to be asked again when nobody knows if it was carried out. */
  private static boolean mayHaveEffect(Command command) {
    return !(command instanceof Command.Contents)
        && !(command instanceof Command.Match match && !match.mode().takes());
  }

  private static Lane.Sent send(Lane lane, Command command, Patience patience)
      throws RemoteException {
    return patience.with(() -> lane.send(command));
  }

  /** The session for what is answered at once, in place of one that has ended. */
  private Lane insteadOf(Lane over, Patience patience) throws RemoteException {
    synchronized (replacing) {
      if (quick == over) {
        quick = patience.with(() -> open(OPEN_MILLIS));
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
   * this process slept is waited for again, and so is a read whose session has ended.
   *
   * @throws RemoteException also if this client was closed before anything was found
   */
  Reply askAndWait(Command.Match match) throws RemoteException, InterruptedException {
    long begun = ticker.nanos();
    Reply reply = askIn(borrow(match), match);
    int tried = 1;
    while (isRefused(reply, Refusal.GIVEN_BACK)
        || (isOver(match, reply) && tried < MOST_SESSIONS_TRIED)) {
      boolean anew = isOver(match, reply);
      tried += anew ? 1 : 0;
      long waitedMillis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - begun);
      Command.Match rest = match.within(Math.max(0, match.timeoutMillis() - waitedMillis));
      reply = askIn(anew ? open(patienceMillis(rest)) : borrow(rest), rest);
    }
    if (closed && isEmpty(reply)) {
      throw new RemoteException(CLOSED);
    }
    boolean unknown = isRefused(reply, Refusal.OUTCOME_UNKNOWN) && reply != Wait.SILENT;
    return unknown ? outcome(match, reply) : reply;
  }

  /** Whether its session has ended, and it can be asked in another one. */
  private static boolean isOver(Command.Match match, Reply reply) {
    return isRefused(reply, Refusal.UNKNOWN_SESSION)
        || (isRefused(reply, Refusal.OUTCOME_UNKNOWN) && !mayHaveEffect(match));
  }

  /** Nothing but waits is in the session: if it may have ended, it is not used any more. */
  private Reply askIn(Lane lane, Command.Match match) throws RemoteException, InterruptedException {
    boolean over = false;
    try {
      Reply reply = askOnce(lane, match);
      over = isRefused(reply, Refusal.UNKNOWN_SESSION) || isRefused(reply, Refusal.OUTCOME_UNKNOWN);
      boolean nothingDone =
          isEmpty(reply) || isRefused(reply, Refusal.GIVEN_BACK) || isOver(match, reply);
      if (nothingDone && Thread.interrupted()) {
        throw new InterruptedException("the wait was interrupted and had no effect");
      }
      return reply;
    } finally {
      if (over) {
        drop(lane);
      } else {
        giveBack(lane);
      }
    }
  }

  private Reply askOnce(Lane lane, Command.Match match)
      throws RemoteException, InterruptedException {
    Wait wait = new Wait(lane, lane.send(match));
    waits.add(wait);
    try {
      if (closed) {
        var unused = wait.end();
      }
      return wait.answer();
    } catch (ExecutionException | CompletionException e) {
      throw lost(e);
    } finally {
      waits.remove(wait);
    }
  }

  private static boolean isRefused(Reply reply, Refusal code) {
    return reply instanceof Reply.Refused refused && refused.code() == code;
  }

  private static boolean isEmpty(Reply reply) {
    return reply instanceof Reply.Matched matched && matched.entries().isEmpty();
  }

  private static Reply replyTo(CompletableFuture<Reply> reply) throws RemoteException {
    try {
      return reply.join();
    } catch (CompletionException e) {
      throw lost(e);
    }
  }

  private Lane borrow(Command.Match match) throws RemoteException, InterruptedException {
    synchronized (this) {
      if (!idle.isEmpty()) {
        return idle.pop();
      }
    }
    return open(patienceMillis(match));
  }

  private static long patienceMillis(Command.Match match) {
    return Math.min(OPEN_MILLIS, Math.max(SHORT_OPEN_MILLIS, match.timeoutMillis()));
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

  private Lane open(long patienceMillis) throws RemoteException, InterruptedException {
    synchronized (this) {
      if (closed) {
        throw new RemoteException(CLOSED);
      }
    }
    CompletableFuture<Long> opening = engine.open(holder, events);
    try {
      Lane lane = new Lane(engine, opening.get(patienceMillis, TimeUnit.MILLISECONDS));
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
      throw new RemoteException("the space opened no session within " + patienceMillis + " ms", e);
    } catch (InterruptedException e) {
      endOnceOpen(opening);
      throw e;
    }
  }

  /** Nobody waits for the session any more: it is not to be kept alive for ever. */
  private void endOnceOpen(CompletableFuture<Long> opening) {
    var unused = opening.thenCompose(engine::close);
  }

  /** Ends what waits, then all sessions, and waits a little until their transactions are over. */
  public void close() {
    List<Lane> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(all);
      all.clear();
    }
    // What was found in the meantime is its caller's, before its session ends.
    awaitAll(waits.stream().map(Wait::end));
    awaitAll(open.stream().map(lane -> engine.close(lane.session())));
  }

  private static void awaitAll(Stream<? extends CompletableFuture<?>> ends) {
    CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(failure -> null)
        .join();
  }

  private static RemoteException lost(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new RemoteException("the space does not answer: " + cause.getMessage(), cause);
  }
}
