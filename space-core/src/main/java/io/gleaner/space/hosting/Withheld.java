package io.gleaner.space.hosting;

import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Outbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What a cell has said and nobody may hear before its inputs are safe. For whoever has the turn of
 * the cell.
 */
final class Withheld {

  /** What followed from the inputs up to a number. */
  private record Outputs(long number, long sinceNanos, Collecting outputs) {}

  private final Deque<Outputs> waiting = new ArrayDeque<>();

  /** What need not wait until it is kept. */
  private final Deque<Outputs> sooner = new ArrayDeque<>();

  private long replicated;
  private long kept;

  /** The last input that the replica was told of, and since when some of them may be missing. */
  private long told;

  private long toldNanos;

  /** Notes the outputs of a step. */
  void add(long number, long nowNanos, Collecting outputs) {
    waiting.add(new Outputs(number, nowNanos, outputs));
  }

  /** Notes outputs that need not wait until their inputs are kept. */
  void addSooner(long number, long nowNanos, Collecting outputs) {
    sooner.add(new Outputs(number, nowNanos, outputs));
  }

  /** Does something when the inputs up to the number are safe. */
  void whenSafe(long number, long nowNanos, Outbox way, Runnable task) {
    Collecting outputs = new Collecting(way);
    outputs.said.add(task);
    waiting.add(new Outputs(number, nowNanos, outputs));
    release();
  }

  /** The cell begins with so many inputs, all safe. */
  void begin(long number) {
    forget();
    replicated = number;
    kept = number;
  }

  /** The replica was told of the inputs up to that number. */
  void told(long number, long nowNanos) {
    if (replicated >= told) {
      toldNanos = nowNanos;
    }
    told = number;
  }

  /** Whether the replica has not said that it has all inputs, and was told of one by then. */
  boolean isUnsure(long nanos) {
    return replicated < told && toldNanos - nanos <= 0;
  }

  void replicated(long number) {
    replicated = Math.max(replicated, number);
    release();
  }

  void kept(long number) {
    kept = Math.max(kept, number);
    release();
  }

  /** Says what need not wait any more. */
  void release() {
    release(sooner, replicated);
    release(waiting, Math.min(replicated, kept));
  }

  private static void release(Deque<Outputs> outputs, long safe) {
    while (!outputs.isEmpty() && outputs.peek().number() <= safe) {
      outputs.remove().outputs().sayAll();
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty() && sooner.isEmpty();
  }

  /** Whether something has waited since that time. */
  boolean waitsSince(long nanos) {
    return waitsSince(waiting, nanos) || waitsSince(sooner, nanos);
  }

  private static boolean waitsSince(Deque<Outputs> outputs, long nanos) {
    return !outputs.isEmpty() && outputs.peek().sinceNanos() - nanos <= 0;
  }

  /** Another member goes on with the cell and says it again where that matters. */
  void forget() {
    waiting.clear();
    sooner.clear();
    replicated = 0;
    kept = 0;
    told = 0;
  }

  /** Notes what a cell says in one step. */
  static final class Collecting implements Outbox {
    private final Outbox way;
    private final Collecting post;
    private final List<Runnable> said = new ArrayList<>();
    private List<Letter> letters = new ArrayList<>();

    private record Letter(int cell, Message message) {}

    Collecting(Outbox way) {
      this.way = way;
      this.post = this;
    }

    private Collecting(Collecting post) {
      this.way = post.way;
      this.post = post;
    }

    /** Notes answers and events apart, and letters here. */
    Collecting answers() {
      return new Collecting(this);
    }

    boolean isEmpty() {
      return said.isEmpty() && letters.isEmpty();
    }

    @Override
    public void send(int cell, Message message) {
      post.letters.add(new Letter(cell, message));
    }

    /** Brings at once what those cells were told to the doorstep; the rest waits. */
    void sendLettersTo(IntPredicate cells, Outlet.Doorstep doorstep) {
      List<Letter> rest = new ArrayList<>();
      for (Letter letter : letters) {
        if (cells.test(letter.cell())) {
          doorstep.arrive(letter.cell(), letter.message());
        } else {
          rest.add(letter);
        }
      }
      letters = rest;
    }

    private void sayAll() {
      sendLettersTo(cell -> true, way::send);
      said.forEach(Runnable::run);
    }

    @Override
    public void answer(Caller caller, Reply reply) {
      said.add(() -> way.answer(caller, reply));
    }

    @Override
    public void opened(Caller caller, long session, long leaseMillis) {
      said.add(() -> way.opened(caller, session, leaseMillis));
    }

    @Override
    public void closed(Caller caller) {
      said.add(() -> way.closed(caller));
    }

    @Override
    public void event(long session, SpaceEvent event) {
      said.add(() -> way.event(session, event));
    }
  }

  /** Hears what a replica says: nothing of it goes anywhere. */
  static final class Silent implements Outbox {
    static final Silent OUTBOX = new Silent();

    @Override
    public void send(int cell, Message message) {}

    @Override
    public void answer(Caller caller, Reply reply) {}

    @Override
    public void opened(Caller caller, long session, long leaseMillis) {}

    @Override
    public void closed(Caller caller) {}

    @Override
    public void event(long session, SpaceEvent event) {}
  }
}
