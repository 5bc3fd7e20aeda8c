package io.gleaner.space.core;

import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEngine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The records of operations in this cell. A record lies where its operation is decided, so that
 * both change in one step; the session's home says once to each such cell that the session lives,
 * and tells all of them when it ends.
 */
final class Sessions {
  private static final Reply.Refused GONE =
      new Reply.Refused(
          Reply.Refusal.OUTCOME_UNKNOWN,
          "the answer of this operation is not kept any more: its session has ended or the"
              + " operation was acknowledged; look into the space to see whether it was done");
  private static final String TOO_MUCH =
      "the answers of this session that are not acknowledged are too long together; acknowledge"
          + " them, or take less at once";
  private static final String STUCK =
      "other parts of the space do not answer, and too much waits for them; try again later";
  private static final Reply.Refused ANOTHER =
      new Reply.Refused(
          Reply.Refusal.INVALID,
          "another command was asked under this number of the session; give each a number of its"
              + " own, and repeat one as it was");
  private static final Reply.Refused ENDED =
      new Reply.Refused(
          Reply.Refusal.OUTCOME_UNKNOWN,
          "the session ended while this was under way; it was done or not");

  private final Context context;
  private final BiConsumer<Call, Message.Request> start;
  private final Map<Long, Part> parts = new LinkedHashMap<>();

  /** What this cell keeps for one session. */
  private static final class Part {
    final long attempt;
    boolean attached;
    long low;

    /** What the session's home was told of {@link #low}. */
    long toldLow;

    final List<Message.Request> onceAttached = new ArrayList<>();
    final NavigableMap<Long, Call> calls = new TreeMap<>();
    final Set<Long> cancelled = new LinkedHashSet<>();

    Part(long attempt) {
      this.attempt = attempt;
    }
  }

  Sessions(Context context, BiConsumer<Call, Message.Request> start) {
    this.context = context;
    this.start = start;
  }

  void on(Message.Request request) {
    Part part = parts.get(request.session());
    if (part == null) {
      part = new Part(context.number());
      parts.put(request.session(), part);
      context.send(
          Routing.homeOf(request.session(), context.cells),
          new Message.Attach(request.session(), context.cell, part.attempt));
    }
    if (part.attached) {
      accept(part, request);
    } else {
      part.onceAttached.add(request);
    }
  }

  void on(Message.Attached message) {
    Part part = parts.get(message.session());
    if (part == null || part.attached || part.attempt != message.attempt()) {
      return;
    }
    List<Message.Request> requests = List.copyOf(part.onceAttached);
    part.onceAttached.clear();
    if (message.alive()) {
      part.attached = true;
      part.cancelled.addAll(message.cancelled());
      requests.forEach(request -> accept(part, request));
    } else {
      parts.remove(message.session());
      requests.forEach(request -> context.answer(request.caller(), GONE));
    }
  }

  /** Whether the session lives, as far as this cell knows, and nothing is known of the request. */
  boolean isNew(Message.Request request) {
    Part part = parts.get(request.session());
    return part != null
        && part.attached
        && request.sequence() >= Math.max(1, part.low)
        && request.sequence() - part.low < SpaceEngine.WINDOW
        && !part.calls.containsKey(request.sequence())
        && !part.cancelled.contains(request.sequence());
  }

  private void accept(Part part, Message.Request request) {
    long sequence = request.sequence();
    Call call = part.calls.get(sequence);
    if (call != null && call.fingerprint != request.fingerprint()) {
      context.answer(request.caller(), ANOTHER);
      return;
    }
    forgetBelow(part, request.low());
    tellLow(request.session(), part);
    call = part.calls.get(sequence);
    if (call != null) {
      if (request.receipt() == Receipt.GIVEN) {
        call.acknowledged();
      }
      call.asks(request.caller());
    } else if (sequence < part.low || sequence < 1) {
      context.answer(request.caller(), GONE);
    } else if (sequence - part.low >= SpaceEngine.WINDOW) {
      context.answer(
          request.caller(),
          new Reply.Refused(
              Reply.Refusal.OVERLOADED,
              "a session has at most " + SpaceEngine.WINDOW + " operations outstanding"));
    } else {
      call = new Call(context, request.session(), sequence, request.fingerprint());
      part.calls.put(sequence, call);
      call.asks(request.caller());
      if (context.letters.isFull()) {
        call.refuse(Reply.Refusal.OVERLOADED, STUCK);
        return;
      }
      if (request.receipt() == Receipt.GIVEN) {
        call.refuse(Reply.Refusal.GIVEN_BACK, Matching.GIVEN_BACK);
        return;
      }
      if (keepsTooMuch(part)) {
        call.refuse(Reply.Refusal.OVERLOADED, TOO_MUCH);
        return;
      }
      start.accept(call, request);
      if (part.cancelled.contains(sequence)) {
        call.stopWaiting();
      }
    }
  }

  void on(Message.Forget message) {
    Part part = parts.get(message.session());
    if (part != null) {
      forgetBelow(part, message.low());
    }
  }

  private void tellLow(long session, Part part) {
    if (part.low - part.toldLow >= SpaceEngine.WINDOW / 2) {
      part.toldLow = part.low;
      context.send(
          Routing.homeOf(session, context.cells), new Message.Acknowledged(session, part.low));
    }
  }

  private boolean keepsTooMuch(Part part) {
    long bytes = 0;
    for (Call call : part.calls.values()) {
      bytes += call.keptBytes();
    }
    return bytes > context.limits.batchBytes();
  }

  private static void forgetBelow(Part part, long low) {
    if (low > part.low) {
      part.low = low;
      var acknowledged = part.calls.headMap(low, false);
      acknowledged.values().forEach(call -> call.abandon(GONE));
      acknowledged.clear();
      part.cancelled.removeIf(sequence -> sequence < low);
    }
  }

  void on(Message.CancelCall message) {
    Part part = parts.get(message.session());
    if (part != null && message.sequence() >= part.low) {
      part.cancelled.add(message.sequence());
      Call call = part.calls.get(message.sequence());
      if (call != null) {
        call.stopWaiting();
      }
    }
  }

  void on(Message.EndPart message) {
    Part part = parts.remove(message.session());
    if (part != null) {
      part.onceAttached.forEach(request -> context.answer(request.caller(), GONE));
      part.calls.values().forEach(call -> call.abandon(ENDED));
    }
    context.send(
        Routing.homeOf(message.session(), context.cells),
        new Message.PartEnded(message.session(), context.cell));
  }

  int size() {
    return parts.size();
  }

  /** The call of a session that is not forgotten, or whose work is not over. */
  Call read(StateReader from) {
    long session = from.secret();
    long sequence = from.count();
    Part part = parts.get(session);
    Call call = part == null ? null : part.calls.get(sequence);
    if (call == null) {
      call = context.loose.get(new Call.Key(session, sequence));
    }
    if (call == null) {
      throw StateReader.malformed("a call is named and not there");
    }
    return call;
  }

  void save(StateWriter to) {
    to.count(parts.size());
    parts.forEach(
        (session, part) -> {
          to.secret(session);
          to.count(part.attempt);
          to.flag(part.attached);
          to.number(part.low);
          to.number(part.toldLow);
          to.list(part.onceAttached, MessageCodec::write);
          to.list(part.cancelled, StateWriter::number);
          to.list(
              part.calls.values(),
              (w, call) -> {
                w.count(call.sequence);
                w.secret(call.fingerprint);
                call.save(w);
              });
        });
    to.list(
        context.loose.values(),
        (w, call) -> {
          w.call(call);
          call.save(w);
        });
  }

  void load(StateReader from, BiFunction<Call, StateReader, Work> works) {
    for (int rest = from.size(); rest > 0; rest--) {
      long session = from.secret();
      Part part = new Part(from.count());
      parts.put(session, part);
      part.attached = from.flag();
      part.low = from.number();
      part.toldLow = from.number();
      part.onceAttached.addAll(from.list(r -> (Message.Request) MessageCodec.read(r)));
      part.cancelled.addAll(from.list(StateReader::number));
      for (int calls = from.size(); calls > 0; calls--) {
        Call call = new Call(context, session, from.count(), from.secret());
        part.calls.put(call.sequence, call);
        call.load(from, works);
      }
    }
    for (int rest = from.size(); rest > 0; rest--) {
      // Nobody asks for it again.
      new Call(context, from.secret(), from.count(), 0).loadLoose(from, works);
    }
  }
}
