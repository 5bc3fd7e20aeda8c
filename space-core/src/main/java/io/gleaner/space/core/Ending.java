package io.gleaner.space.core;

import io.gleaner.space.Reply;
import io.gleaner.transaction.TransactionPhase;

/** A commit, an abort or a preparation of which the client hears when it is carried out. */
record Ending(Call call, boolean commits) implements Coordinators.Waiting {
  static final int KIND = 4;

  private static final Reply.Refused REFUSED =
      new Reply.Refused(
          Reply.Refusal.CANNOT_COMMIT,
          "the transaction is aborted: a participant refused, or its lease had run out");

  @Override
  public void over(TransactionPhase phase) {
    call.answer(commits && phase != TransactionPhase.COMMITTED ? REFUSED : new Reply.Done());
  }

  @Override
  public void prepared(Reply state) {
    call.answer(state);
  }

  @Override
  public boolean abandon() {
    return true;
  }

  @Override
  public void save(StateWriter to) {
    to.count(KIND);
    to.flag(commits);
  }

  static Ending load(Call call, StateReader from) {
    return new Ending(call, from.flag());
  }
}
