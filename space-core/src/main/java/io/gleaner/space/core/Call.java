package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * One operation of a session and, once it is known, its answer: the record by which a retry gets
 * the answer of the first try.
 */
final class Call {
  final long session;
  final long sequence;
  private final Context context;
  private final List<Caller> waiting = new ArrayList<>(1);
  private Reply answer;
  private Work work = Work.NONE;

  Call(Context context, long session, long sequence) {
    this.context = context;
    this.session = session;
    this.sequence = sequence;
  }

  /** Somebody asks for the answer, for the first time or again. */
  void asks(Caller caller) {
    if (answer != null) {
      context.answer(caller, answer);
    } else {
      waiting.add(caller);
    }
  }

  void startsWith(Work newWork) {
    work = newWork;
  }

  /** Bytes of entries that are kept with the answer. */
  long keptBytes() {
    List<EncodedEntry> kept =
        answer instanceof Reply.Matched matched
            ? matched.entries()
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
    if (answer == null) {
      answer = reply;
      work = Work.NONE;
      for (Caller caller : waiting) {
        context.answer(caller, reply);
      }
      waiting.clear();
    }
  }

  void refuse(Reply.Refusal code, String message) {
    answer(new Reply.Refused(code, message));
  }

  void stopWaiting() {
    work.stopWaiting();
  }

  /** The session is gone: nobody will ask again, and nothing may be kept for it. */
  void abandon(Reply reply) {
    work.abandon();
    answer(reply);
  }
}
