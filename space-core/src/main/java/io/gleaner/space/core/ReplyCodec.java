package io.gleaner.space.core;

import io.gleaner.space.Reply;

/** Replies as bytes and back. */
final class ReplyCodec {
  private ReplyCodec() {}

  static void write(StateWriter to, Reply reply) {
    if (reply instanceof Reply.Written r) {
      to.count(1);
      to.list(r.leases(), ReplyCodec::granted);
    } else if (reply instanceof Reply.Matched r) {
      to.count(2);
      to.entries(r.entries());
    } else if (reply instanceof Reply.Listed r) {
      to.count(3);
      to.entries(r.entries());
      to.text(r.cursor());
    } else if (reply instanceof Reply.Registered r) {
      to.count(4);
      to.secret(r.eventId());
      granted(to, r.lease());
      to.number(r.sequence());
    } else if (reply instanceof Reply.Renewed r) {
      to.count(5);
      to.number(r.millis());
    } else if (reply instanceof Reply.Began r) {
      to.count(6);
      to.secret(r.transaction());
      granted(to, r.lease());
    } else if (reply instanceof Reply.StateOf r) {
      to.count(7);
      to.number(r.state());
    } else if (reply instanceof Reply.Done) {
      to.count(8);
    } else if (reply instanceof Reply.Refused r) {
      to.count(9);
      refused(to, r);
    } else if (reply instanceof Reply.ForeignOnes r) {
      to.count(10);
      to.list(r.transactions(), ReplyCodec::foreign);
    } else if (reply instanceof Reply.EachLease r) {
      to.count(11);
      to.list(r.millis(), StateWriter::number);
    } else if (reply instanceof Reply.Reserved r) {
      to.count(12);
      to.entries(r.entries());
    } else {
      throw new IllegalArgumentException("there is no form for a " + reply.getClass().getName());
    }
  }

  static Reply read(StateReader from) {
    int kind = from.size();
    return switch (kind) {
      case 1 -> new Reply.Written(from.list(ReplyCodec::granted));
      case 2 -> new Reply.Matched(from.entries());
      case 3 -> new Reply.Listed(from.entries(), from.text());
      case 4 -> new Reply.Registered(from.secret(), granted(from), from.number());
      case 5 -> new Reply.Renewed(from.number());
      case 6 -> new Reply.Began(from.secret(), granted(from));
      case 7 -> new Reply.StateOf((int) from.number());
      case 8 -> new Reply.Done();
      case 9 -> refused(from);
      case 10 -> new Reply.ForeignOnes(from.list(ReplyCodec::foreign));
      case 11 -> new Reply.EachLease(from.list(StateReader::number));
      case 12 -> new Reply.Reserved(from.entries());
      default -> throw StateReader.malformed("a reply is of kind " + kind);
    };
  }

  static void granted(StateWriter to, Reply.Granted granted) {
    CommandCodec.lease(to, granted.lease());
    to.number(granted.millis());
  }

  static Reply.Granted granted(StateReader from) {
    return new Reply.Granted(CommandCodec.lease(from), from.number());
  }

  static void foreign(StateWriter to, Reply.Foreign foreign) {
    to.text(foreign.manager());
    to.text(foreign.proxy());
    to.number(foreign.id());
    to.secret(foreign.transaction());
  }

  static Reply.Foreign foreign(StateReader from) {
    return new Reply.Foreign(from.text(), from.text(), from.number(), from.secret());
  }

  static void refused(StateWriter to, Reply.Refused refused) {
    to.text(refused.code().name());
    to.text(refused.message());
  }

  static Reply.Refused refused(StateReader from) {
    return new Reply.Refused(Reply.Refusal.valueOf(from.text()), from.text());
  }
}
