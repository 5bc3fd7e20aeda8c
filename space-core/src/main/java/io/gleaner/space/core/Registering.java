package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;

/** A registration that waits until its space and its transaction are known here. */
record Registering(
    Participants participants, Registrations registrations, Call call, Command.Register command)
    implements Work, Participation.Step {
  static final int KIND = 5;

  @Override
  public void begin() {
    participants.within(command.transaction(), this);
  }

  @Override
  public void within(Participation by) {
    if (call.isAnswered()) {
      call.answer(Participants.UNKNOWN);
    } else {
      call.startsWith(NONE);
      registrations.register(call, command, by);
    }
  }

  @Override
  public void refused(Reply.Refused refusal) {
    call.answer(refusal);
  }

  @Override
  public boolean abandon() {
    return true;
  }

  @Override
  public void save(StateWriter to) {
    to.count(KIND);
    CommandCodec.write(to, command);
  }

  @Override
  public void saveReference(StateWriter to) {
    to.flag(true);
    to.call(call);
  }
}
