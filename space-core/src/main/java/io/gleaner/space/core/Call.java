package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * One operation of a session and, once it is known, its answer: the record by which a retry gets
 * the answer of the first try.
 */
final class Call {
  private static final int MOST_WAITING = 8;

  final long session;
  final long sequence;

  /** Of its command, see {@link Fingerprint}. */
  final long fingerprint;

  private final Context context;
  private final List<Caller> waiting = new ArrayList<>(1);
  private Reply answer;
  private Work work = Work.NONE;

  /** Abandoned, but its work has still to hear of something. */
  private boolean loose;

  /** Names a call. */
  record Key(long session, long sequence) {}

  Call(Context context, long session, long sequence, long fingerprint) {
    this.context = context;
    this.session = session;
    this.sequence = sequence;
    this.fingerprint = fingerprint;
  }

  /**
   * Somebody asks for the answer, for the first time or again. Of a client that asks by many nodes,
   * one after the other, the last ones are told.
   */
  void asks(Caller caller) {
    if (answer != null) {
      context.answer(caller, answer);
    } else if (!waiting.contains(caller)) {
      if (waiting.size() == MOST_WAITING) {
        waiting.remove(0);
      }
      waiting.add(caller);
    }
  }

  void startsWith(Work newWork) {
    work = newWork;
  }

  /** The client has what was reserved for it. */
  void acknowledged() {
    work.acknowledged();
  }

  /** Bytes of entries that are kept with the answer. */
  long keptBytes() {
    List<EncodedEntry> kept =
        answer instanceof Reply.Matched matched
            ? matched.entries()
            : answer instanceof Reply.Reserved reserved
                ? reserved.entries()
                : answer instanceof Reply.Listed listed ? listed.entries() : List.of();
    long bytes = 0;
    for (EncodedEntry entry : kept) {
      bytes += entry.sizeBytes();
    }
    return bytes;
  }

  boolean isAnswered() {
    return answer != null;
  }

  void answer(Reply reply) {
    if (loose) {
      loose = false;
      work = Work.NONE;
      context.loose.remove(key());
    } else if (answer == null || answer instanceof Reply.Reserved) {
      work = Work.NONE;
      tell(reply);
    }
  }

  /** Answers for now: the work goes on, and answers for good when it is over. */
  void answerForNow(Reply.Reserved reply) {
    tell(reply);
  }

  private void tell(Reply reply) {
    answer = reply;
    for (Caller caller : waiting) {
      context.answer(caller, reply);
    }
    waiting.clear();
  }

  void refuse(Reply.Refusal code, String message) {
    answer(new Reply.Refused(code, message));
  }

  void stopWaiting() {
    work.stopWaiting();
  }

  /** The session is gone: nobody will ask again, and nothing may be kept for it. */
  void abandon(Reply reply) {
    Work rest = work;
    boolean goesOn = work.abandon();
    answer(reply);
    if (goesOn) {
      work = rest;
      loose = true;
      context.loose.put(key(), this);
    }
  }

  Key key() {
    return new Key(session, sequence);
  }

  Work work() {
    return work;
  }

  void save(StateWriter to) {
    to.flag(answer != null);
    if (answer != null) {
      ReplyCodec.write(to, answer);
    }
    work.save(to);
  }

  void load(StateReader from, BiFunction<Call, StateReader, Work> works) {
    answer = from.flag() ? ReplyCodec.read(from) : null;
    work = works.apply(this, from);
  }

  void loadLoose(StateReader from, BiFunction<Call, StateReader, Work> works) {
    load(from, works);
    loose = true;
    context.loose.put(key(), this);
  }
}
