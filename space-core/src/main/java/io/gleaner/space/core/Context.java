package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.space.Reply;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the parts of one cell share: its place, the time of this step, and its ways out. */
final class Context {
  final int cell;
  final int cells;
  final CellKey key;
  final long seed;

  /** Those of the last start. */
  Limits limits;

  final Ids ids;
  final Deadlines<Runnable> deadlines = new Deadlines<>();

  /** Transactions that are prepared here: their decision is on its way, or made. */
  final Set<Participation> prepared = new LinkedHashSet<>();

  /** Calls that nobody asks for any more, but whose work has still to hear of something. */
  final Map<Call.Key, Call> loose = new LinkedHashMap<>();

  final Letters letters = new Letters(this);

  private final ArrayDeque<Message> toItself = new ArrayDeque<>();
  private long numbers;
  private long nowNanos = Long.MIN_VALUE;
  private Outbox outbox;

  Context(int cell, int cells, CellKey key, Limits limits) {
    this.cell = cell;
    this.cells = cells;
    this.key = key;
    this.seed = key.first();
    this.limits = limits;
    this.ids = new Ids(key, cell);
  }

  void begin(long now, Outbox out) {
    nowNanos = Math.max(now, nowNanos);
    outbox = out;
  }

  long now() {
    return nowNanos;
  }

  Outbox out() {
    return outbox;
  }

  /** A number that this cell has not given before. */
  long number() {
    return ++numbers;
  }

  /** To a cell; what goes to this one is handled within the same step, in order. */
  void send(int to, Message message) {
    if (to == cell) {
      toItself.add(message);
    } else {
      letters.send(to, message);
    }
  }

  void answer(Caller caller, Reply reply) {
    if (caller != Caller.NOBODY) {
      outbox.answer(caller, reply);
    }
  }

  Message nextToItself() {
    return toItself.poll();
  }

  void save(StateWriter to) {
    to.number(nowNanos);
    to.count(numbers);
    to.count(ids.counter());
    to.count(deadlines.numbers());
    to.list(List.copyOf(toItself), MessageCodec::write);
  }

  void load(StateReader from) {
    nowNanos = from.number();
    numbers = from.count();
    ids.continueAfter(from.count());
    deadlines.continueAt(from.count());
    toItself.addAll(from.list(MessageCodec::read));
  }
}
