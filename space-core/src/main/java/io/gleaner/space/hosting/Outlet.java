package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import io.gleaner.space.core.AnswerCodec;
import io.gleaner.space.core.Caller;
import io.gleaner.space.core.Input;
import io.gleaner.space.core.InputCodec;
import io.gleaner.space.core.Message;
import io.gleaner.space.core.Outbox;

/**
 * Brings what cells say to those whom it concerns, here or on other members. Safe for all threads.
 */
final class Outlet implements Outbox {
  private final Roster roster;
  private final Post post;
  private final Callers callers;
  private final Hints hints;

  /** The arrivals of the cells that are hosted here. */
  interface Doorstep {
    void arrive(int cell, Message message);
  }

  private final Doorstep doorstep;

  Outlet(Roster roster, Post post, Callers callers, Hints hints, Doorstep doorstep) {
    this.roster = roster;
    this.post = post;
    this.callers = callers;
    this.hints = hints;
    this.doorstep = doorstep;
  }

  @Override
  public void send(int cell, Message message) {
    if (roster.isOwn(cell)) {
      doorstep.arrive(cell, message);
    } else {
      forward(cell, message);
    }
  }

  /** Brings a message to a cell of this member, wherever its owner is by now. */
  void bring(int cell, Message message) {
    doorstep.arrive(cell, message);
  }

  /**
   * Sends a message to the owner of its cell on another member. It is dropped if there is none yet:
   * letters and requests are sent again.
   */
  void forward(int cell, Message message) {
    roster
        .ownerOf(cell)
        .filter(owner -> !owner.equals(roster.here()))
        .ifPresent(
            owner -> {
              Asker asker = askerOf(message);
              post.send(
                  owner,
                  cell,
                  new Word.Delivered(
                      isHere(asker.member()) ? null : asker.member(),
                      asker.question(),
                      InputCodec.encode(message)));
            });
  }

  private Asker askerOf(Message message) {
    return callerOf(message) instanceof Asker asker ? asker : new Asker(roster.here(), 0);
  }

  /** Whether cells tell each other the message; all others come from members. */
  static boolean isOfCells(Message message) {
    return callerOf(message) == Caller.NOBODY && !(message instanceof Message.Renew);
  }

  /** Who waits for the answer to a message. */
  static Caller callerOf(Message message) {
    if (message instanceof Message.Request request) {
      return request.caller();
    } else if (message instanceof Message.Open open) {
      return open.caller();
    } else if (message instanceof Message.Close close) {
      return close.caller();
    } else if (message instanceof Message.Look look) {
      return look.caller();
    }
    return Caller.NOBODY;
  }

  /** A message as it came over the network, with the one who waits for its answer. */
  static Message read(Address sender, Word.Delivered word) {
    Message message = InputCodec.decodeMessage(word.message());
    return word.question() == 0
        ? message
        : asked(message, new Asker(word.asker() == null ? sender : word.asker(), word.question()));
  }

  /** The input with another one who waits for the answer to its message. */
  static Input asked(Input input, Asker asker) {
    return input.step() instanceof Input.Deliver deliver
        ? new Input(
            input.number(), input.nowNanos(), new Input.Deliver(asked(deliver.message(), asker)))
        : input;
  }

  /** The message with another one who waits for its answer. */
  private static Message asked(Message message, Asker asker) {
    if (message instanceof Message.Request m) {
      return m.by(asker);
    } else if (message instanceof Message.Open m) {
      return new Message.Open(asker, m.holder(), m.name(), m.leaseMillis(), m.tenure(), m.begins());
    } else if (message instanceof Message.Close m) {
      return new Message.Close(asker, m.session(), m.tenure());
    } else if (message instanceof Message.Look m) {
      return m.by(asker);
    }
    return message;
  }

  /** Whoever asked the cell here may have been left without an answer. */
  void doubt(int cell) {
    callers.doubt(cell);
  }

  @Override
  public void answer(Caller caller, Reply reply) {
    Asker asker = (Asker) caller;
    if (isHere(asker.member())) {
      callers.answered(asker.question(), reply);
    } else {
      say(asker, new Word.Answered(asker.question(), AnswerCodec.encode(reply)));
    }
  }

  @Override
  public void opened(Caller caller, long session, long leaseMillis) {
    if (caller instanceof Asker asker) {
      if (isHere(asker.member())) {
        callers.opened(asker.question(), new Opened(session, leaseMillis));
      } else {
        say(asker, new Word.Opened(asker.question(), session, leaseMillis));
      }
    }
  }

  @Override
  public void closed(Caller caller) {
    if (caller instanceof Asker asker) {
      if (isHere(asker.member())) {
        callers.closed(asker.question());
      } else {
        say(asker, new Word.Closed(asker.question()));
      }
    }
  }

  private boolean isHere(Address member) {
    return member.equals(roster.here());
  }

  private void say(Asker asker, Word answer) {
    // The question's number spreads the answers over the threads of that member.
    int cell = (int) Math.floorMod(asker.question(), (long) roster.cells());
    post.send(asker.member(), cell, answer);
  }

  @Override
  public void event(long session, SpaceEvent event) {
    if (!hints.hear(session, event) && !roster.isAlone()) {
      byte[] bytes = AnswerCodec.encode(event);
      int cell = (int) Math.floorMod(session, (long) roster.cells());
      for (Address other : roster.others()) {
        post.send(other, cell, new Word.Hinted(session, bytes));
      }
    }
  }
}
