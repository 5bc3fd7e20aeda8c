package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All cells of a space between which nothing is lost, for one thread: a question is answered when
 * everything that follows from it is over. Counts what a journal would keep of them, and letters.
 */
final class QuietCells implements Outbox {
  private static final long STEP_NANOS = 10_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final List<Cell> cells = new ArrayList<>();
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private final Map<Caller, Reply> replies = new HashMap<>();
  private long nowNanos = 1;
  private long opened;
  private long names;
  private long inputBytes;
  private int letters;
  private int chain;
  private int longestChain;

  /**
   * Something under way.
   *
   * @param chain how many letters it is the last of that followed from each other
   */
  private record Sent(int to, Message message, int chain) {}

  QuietCells(int count, Limits limits) {
    for (int i = 0; i < count; i++) {
      cells.add(new Cell(i, count, new CellKey(count, i), limits));
    }
  }

  /** A client of one session, with one operation at a time. */
  final class Client {
    private final long session;
    private long sequence;

    private Client(long session) {
      this.session = session;
    }

    Reply asks(Command command) {
      Caller caller = begins(command);
      arrives();
      return replyTo(caller);
    }

    /** Asks and leaves it at that; {@link QuietCells#replyTo} tells the answer. */
    Caller begins(Command command) {
      Caller caller = new Caller() {};
      sequence++;
      deliver(
          Routing.home(session, command, cells.size()),
          new Message.Request(caller, session, sequence, sequence, command, Receipt.NONE));
      return caller;
    }
  }

  Client opens() {
    long name = ++names;
    deliver(
        Routing.homeOfName(name, cells.size()),
        new Message.Open(new Caller() {}, "test", name, -1, 0, true));
    arrives();
    return new Client(opened);
  }

  /** Null if there is none yet. */
  Reply replyTo(Caller caller) {
    return replies.get(caller);
  }

  /** Everything that was said is heard, and a second passes in which what is due is done. */
  void settle() {
    arrives();
    nowNanos += SECOND_NANOS;
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).nextDeadline() <= nowNanos) {
        input(i, new Input.WakeUp());
      }
    }
    arrives();
  }

  /** Everything that was said is heard. */
  void arrives() {
    for (Sent next = sent.poll(); next != null; next = sent.poll()) {
      chain = next.chain();
      longestChain = Math.max(longestChain, chain);
      input(next.to(), new Input.Deliver(next.message()));
      chain = 0;
    }
  }

  private void deliver(int to, Message message) {
    sent.add(new Sent(to, message, 0));
  }

  /** Letters that cells wrote since {@link #countsFromNow}. */
  int letters() {
    return letters;
  }

  /** How many of these followed from each other at most. */
  int longestChain() {
    return longestChain;
  }

  void countsFromNow() {
    letters = 0;
    longestChain = 0;
  }

  private void input(int to, Input.Step step) {
    nowNanos += STEP_NANOS;
    Input input = new Input(cells.get(to).inputs() + 1, nowNanos, step);
    inputBytes += InputCodec.encode(List.of(input)).length;
    cells.get(to).apply(input, this);
  }

  /** Every cell goes on from its image. */
  void restart(Limits limits) {
    for (int i = 0; i < cells.size(); i++) {
      cells.set(i, Cell.load(SimulatedCell.imageOf(cells.get(i)).iterator()));
      input(i, new Input.Restart(limits, 0));
    }
    arrives();
  }

  long inputBytes() {
    return inputBytes;
  }

  long imageBytes() {
    return cells.stream()
        .flatMap(cell -> SimulatedCell.imageOf(cell).stream())
        .mapToLong(chunk -> chunk.length)
        .sum();
  }

  @Override
  public void send(int to, Message message) {
    boolean letter = message instanceof Message.Letter;
    letters += letter ? 1 : 0;
    sent.add(new Sent(to, message, letter ? chain + 1 : 0));
  }

  @Override
  public void answer(Caller caller, Reply reply) {
    replies.put(caller, reply);
  }

  @Override
  public void opened(Caller caller, long session, long leaseMillis) {
    opened = session;
  }

  @Override
  public void closed(Caller caller) {}

  @Override
  public void event(long session, SpaceEvent event) {}
}
