package io.gleaner.space.hosting;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Message;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The messages for a cell that nobody has carried out yet, and when somebody looks at them. Safe
 * for all threads.
 */
final class Arrivals {
  private static final int MOST_BRIEF = 8;

  private final int index;
  private final Hosting hosting;
  private final Turn turn;
  private final Runnable step;
  private final Queue<Message> messages = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean stepping = new AtomicBoolean();

  /**
   * @param step looks at them, with the turn of the cell; calls {@link #beginStep} first
   */
  Arrivals(int index, Hosting hosting, Turn turn, Runnable step) {
    this.index = index;
    this.hosting = hosting;
    this.turn = turn;
    this.step = step;
  }

  void add(Message message) {
    messages.add(message);
    if (isBrief(message)) {
      stepSoon();
    } else {
      stepLater();
    }
  }

  /** Whether the thread that brings the message may carry it out; it may be one of the network. */
  private static boolean isBrief(Message message) {
    if (message instanceof Message.Request request) {
      Command command = request.command();
      return !(command instanceof Command.Contents)
          && !(command instanceof Command.Write write && write.entries().size() > MOST_BRIEF)
          && !(command instanceof Command.Match match && match.limit() > MOST_BRIEF);
    }
    return !(message instanceof Message.Look);
  }

  /** A step is taken by this thread, or by the one that has the turn. */
  void stepSoon() {
    if (stepping.compareAndSet(false, true)) {
      turn.soon(step);
    }
  }

  /** A step is taken by another thread. */
  void stepLater() {
    if (stepping.compareAndSet(false, true)) {
      turn.later(step);
    }
  }

  /** What arrives from now on is for the next step. */
  void beginStep() {
    stepping.set(false);
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** The next one; null if there is none. */
  Message poll() {
    return messages.poll();
  }

  /** Sends all to the member that owns the cell. */
  void forward() {
    for (Message next = messages.poll(); next != null; next = messages.poll()) {
      Message message = next;
      if (hosting.keeping().isDurable() && Outlet.isOfCells(message)) {
        // It may have been sent before its cause was kept.
        var unused =
            hosting.keeping().allSoFar().thenRun(() -> hosting.outlet().send(index, message));
      } else {
        hosting.outlet().forward(index, message);
      }
    }
  }

  /** Answers all that nobody has the cell any more. */
  void refuse() {
    Reply refusal = new Reply.Refused(Reply.Refusal.UNAVAILABLE, hosting.lossMessage());
    for (Message next = messages.poll(); next != null; next = messages.poll()) {
      Caller caller = Outlet.callerOf(next);
      if (caller != Caller.NOBODY) {
        hosting.outlet().answer(caller, refusal);
      }
    }
  }
}
