package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Receipt;

/**
 * Messages as bytes and back. Who asked is not part of it: what is read has the caller {@link
 * Caller#NOBODY}.
 */
final class MessageCodec {
  private MessageCodec() {}

  static void write(StateWriter to, Message message) {
    if (message instanceof Message.Request m) {
      to.count(1);
      to.secret(m.session());
      to.number(m.sequence());
      to.number(m.low());
      to.secret(m.fingerprint());
      CommandCodec.write(to, m.command());
      receipt(to, m.receipt());
    } else if (message instanceof Message.Letter m) {
      to.count(2);
      to.count(m.from());
      to.number(m.number());
      to.number(m.read());
      write(to, m.content());
    } else if (message instanceof Message.Received m) {
      to.count(3);
      to.count(m.from());
      to.number(m.read());
    } else if (message instanceof Message.Open m) {
      to.count(4);
      to.text(m.holder());
      to.secret(m.name());
      to.number(m.leaseMillis());
      to.number(m.tenure());
      to.flag(m.begins());
    } else if (message instanceof Message.Close m) {
      to.count(5);
      to.secret(m.session());
      to.number(m.tenure());
    } else if (message instanceof Message.Renew m) {
      to.count(6);
      to.list(m.sessions(), StateWriter::secret);
    } else if (message instanceof Message.Look m) {
      to.count(7);
      to.bucket(m.bucket());
      to.entries(m.templates());
      to.number(m.after());
      to.number(m.limit());
      to.number(m.holder());
    } else {
      writeQuestion(to, message);
    }
  }

  private static void writeQuestion(StateWriter to, Message message) {
    if (message instanceof Message.Probe m) {
      to.count(10);
      to.probe(m.id());
      to.bucket(m.bucket());
      to.text(m.mode().name());
      to.entries(m.templates());
      to.number(m.transaction());
      to.number(m.limit());
      to.flag(m.waits());
      to.flag(m.patient());
    } else if (message instanceof Message.Put m) {
      to.count(11);
      to.probe(m.id());
      to.bucket(m.bucket());
      to.entries(m.entries());
      to.list(m.leaseMillis(), StateWriter::number);
      to.number(m.transaction());
    } else if (message instanceof Message.Page m) {
      to.count(12);
      to.probe(m.id());
      to.bucket(m.bucket());
      to.entries(m.templates());
      to.number(m.transaction());
      to.number(m.after());
      to.number(m.limit());
    } else if (message instanceof Message.Watch m) {
      to.count(13);
      to.probe(m.id());
      to.bucket(m.bucket());
      watcher(to, m.watcher());
    } else if (message instanceof Message.Unwatch m) {
      to.count(14);
      to.bucket(m.bucket());
      to.secret(m.registration());
    } else if (message instanceof Message.Settle m) {
      to.count(15);
      to.probe(m.id());
      to.bucket(m.bucket());
      to.flag(m.accepted());
    } else if (message instanceof Message.Keep m) {
      to.count(16);
      to.probe(m.id());
      to.bucket(m.bucket());
    } else if (message instanceof Message.Spend m) {
      to.count(17);
      to.probe(m.id());
      to.bucket(m.bucket());
      to.list(m.entries(), CommandCodec::spend);
      to.number(m.transaction());
    } else if (message instanceof Message.Unspend m) {
      to.count(18);
      to.probe(m.id());
      to.number(m.transaction());
    } else if (message instanceof Message.Scout m) {
      to.count(19);
      to.probe(m.id());
      to.list(m.buckets(), StateWriter::bucket);
      to.text(m.mode().name());
      to.entries(m.templates());
      to.number(m.transaction());
    } else {
      writeAnswer(to, message);
    }
  }

  private static void writeAnswer(StateWriter to, Message message) {
    if (message instanceof Message.Offer m) {
      to.count(20);
      to.probe(m.id());
      to.entries(m.entries());
    } else if (message instanceof Message.Nothing m) {
      to.count(21);
      to.probe(m.id());
      to.flag(m.locked());
    } else if (message instanceof Message.PutDone m) {
      to.count(22);
      to.probe(m.id());
      to.list(m.leases(), ReplyCodec::granted);
    } else if (message instanceof Message.Listing m) {
      to.count(23);
      to.probe(m.id());
      to.entries(m.entries());
      to.number(m.last());
      to.flag(m.more());
    } else if (message instanceof Message.Watching m) {
      to.count(24);
      to.probe(m.id());
    } else if (message instanceof Message.ProbeRefused m) {
      to.count(25);
      to.probe(m.id());
      ReplyCodec.refused(to, m.refusal());
    } else if (message instanceof Message.Sighted m) {
      to.count(26);
      to.secret(m.registration());
      to.bucket(m.bucket());
      to.flag(m.entry() != null);
      if (m.entry() != null) {
        to.entry(m.entry());
      }
      to.flag(m.becameVisible());
    } else if (message instanceof Message.Scouted m) {
      to.count(27);
      to.probe(m.id());
      to.list(m.promising(), StateWriter::size);
      to.flag(m.locked());
    } else {
      writeTransaction(to, message);
    }
  }

  private static void writeTransaction(StateWriter to, Message message) {
    if (message instanceof Message.Join m) {
      to.count(30);
      to.secret(m.transaction());
      to.count(m.from());
      to.number(m.attempt());
    } else if (message instanceof Message.Joined m) {
      to.count(31);
      to.secret(m.transaction());
      to.number(m.attempt());
      to.flag(m.active());
    } else if (message instanceof Message.Prepare m && m.lasting()) {
      to.count(56);
      to.secret(m.transaction());
      to.flag(m.only());
    } else if (message instanceof Message.Prepare m) {
      to.count(32);
      to.secret(m.transaction());
      to.flag(m.only());
    } else if (message instanceof Message.Voted m) {
      to.count(33);
      to.secret(m.transaction());
      to.count(m.from());
      to.flag(m.prepared());
    } else if (message instanceof Message.End m) {
      to.count(34);
      to.secret(m.transaction());
      to.flag(m.committed());
    } else if (message instanceof Message.Ended m) {
      to.count(35);
      to.secret(m.transaction());
      to.count(m.from());
    } else if (message instanceof Message.AskOutcome m) {
      to.count(36);
      to.secret(m.transaction());
      to.count(m.from());
    } else {
      writeSession(to, message);
    }
  }

  private static void writeSession(StateWriter to, Message message) {
    if (message instanceof Message.Attach m) {
      to.count(40);
      to.secret(m.session());
      to.count(m.from());
      to.number(m.attempt());
    } else if (message instanceof Message.Attached m) {
      to.count(41);
      to.secret(m.session());
      to.number(m.attempt());
      to.flag(m.alive());
      to.list(m.cancelled(), StateWriter::number);
    } else if (message instanceof Message.CancelCall m) {
      to.count(42);
      to.secret(m.session());
      to.number(m.sequence());
    } else if (message instanceof Message.Acknowledged m) {
      to.count(43);
      to.secret(m.session());
      to.number(m.low());
    } else if (message instanceof Message.Forget m) {
      to.count(44);
      to.secret(m.session());
      to.number(m.low());
    } else if (message instanceof Message.EndPart m) {
      to.count(45);
      to.secret(m.session());
    } else if (message instanceof Message.PartEnded m) {
      to.count(46);
      to.secret(m.session());
      to.count(m.from());
    } else {
      writeDirectory(to, message);
    }
  }

  private static void writeDirectory(StateWriter to, Message message) {
    if (message instanceof Message.AskTypes m) {
      to.count(50);
      to.text(m.space());
      to.list(m.templates(), StateWriter::type);
      to.count(m.from());
    } else if (message instanceof Message.TypesTold m) {
      to.count(51);
      to.text(m.space());
      to.list(m.templates(), StateWriter::type);
      to.list(m.types(), StateWriter::type);
      to.text(m.refusal());
    } else if (message instanceof Message.Announce m) {
      to.count(52);
      to.text(m.space());
      to.type(m.type());
      to.count(m.from());
    } else if (message instanceof Message.TypeAdded m) {
      to.count(53);
      to.text(m.space());
      to.type(m.type());
    } else if (message instanceof Message.TypeKnown m) {
      to.count(54);
      to.text(m.space());
      to.type(m.type());
      to.count(m.from());
    } else if (message instanceof Message.Announced m) {
      to.count(55);
      to.text(m.space());
      to.type(m.type());
      to.text(m.refusal());
    } else {
      throw new IllegalArgumentException("there is no form for a " + message.getClass().getName());
    }
  }

  static Message read(StateReader from) {
    int kind = from.size();
    return switch (kind) {
      case 1 ->
          new Message.Request(
              Caller.NOBODY,
              from.secret(),
              from.number(),
              from.number(),
              from.secret(),
              CommandCodec.read(from),
              receipt(from));
      case 2 -> new Message.Letter(from.size(), from.number(), from.number(), read(from));
      case 3 -> new Message.Received(from.size(), from.number());
      case 4 ->
          new Message.Open(
              Caller.NOBODY, from.text(), from.secret(), from.number(), from.number(), from.flag());
      case 5 -> new Message.Close(Caller.NOBODY, from.secret(), from.number());
      case 6 -> new Message.Renew(from.list(StateReader::secret));
      case 7 ->
          new Message.Look(
              Caller.NOBODY,
              from.bucket(),
              from.entries(),
              from.number(),
              (int) from.number(),
              from.number());
      case 10 ->
          new Message.Probe(
              from.probe(),
              from.bucket(),
              Command.Mode.valueOf(from.text()),
              from.entries(),
              from.number(),
              (int) from.number(),
              from.flag(),
              from.flag());
      case 11 ->
          new Message.Put(
              from.probe(),
              from.bucket(),
              from.entries(),
              from.list(StateReader::number),
              from.number());
      case 12 ->
          new Message.Page(
              from.probe(),
              from.bucket(),
              from.entries(),
              from.number(),
              from.number(),
              (int) from.number());
      case 13 -> new Message.Watch(from.probe(), from.bucket(), watcher(from));
      case 14 -> new Message.Unwatch(from.bucket(), from.secret());
      case 15 -> new Message.Settle(from.probe(), from.bucket(), from.flag());
      case 16 -> new Message.Keep(from.probe(), from.bucket());
      case 17 ->
          new Message.Spend(
              from.probe(), from.bucket(), from.list(CommandCodec::spend), from.number());
      case 18 -> new Message.Unspend(from.probe(), from.number());
      case 19 ->
          new Message.Scout(
              from.probe(),
              from.list(StateReader::bucket),
              Command.Mode.valueOf(from.text()),
              from.entries(),
              from.number());
      case 20 -> new Message.Offer(from.probe(), from.entries());
      case 21 -> new Message.Nothing(from.probe(), from.flag());
      case 22 -> new Message.PutDone(from.probe(), from.list(ReplyCodec::granted));
      case 23 -> new Message.Listing(from.probe(), from.entries(), from.number(), from.flag());
      case 24 -> new Message.Watching(from.probe());
      case 25 -> new Message.ProbeRefused(from.probe(), ReplyCodec.refused(from));
      case 26 ->
          new Message.Sighted(
              from.secret(), from.bucket(), from.flag() ? from.entry() : null, from.flag());
      case 27 -> new Message.Scouted(from.probe(), from.list(StateReader::size), from.flag());
      default -> readAgreement(kind, from);
    };
  }

  private static void receipt(StateWriter to, Receipt receipt) {
    to.count(
        switch (receipt) {
          case NONE -> 0;
          case AWAITED -> 1;
          case GIVEN -> 2;
        });
  }

  private static Receipt receipt(StateReader from) {
    int kind = from.size();
    return switch (kind) {
      case 0 -> Receipt.NONE;
      case 1 -> Receipt.AWAITED;
      case 2 -> Receipt.GIVEN;
      default -> throw StateReader.malformed("a receipt is of kind " + kind);
    };
  }

  private static Message readAgreement(int kind, StateReader from) {
    return switch (kind) {
      case 30 -> new Message.Join(from.secret(), from.size(), from.number());
      case 31 -> new Message.Joined(from.secret(), from.number(), from.flag());
      case 32 -> new Message.Prepare(from.secret(), from.flag(), false);
      case 33 -> new Message.Voted(from.secret(), from.size(), from.flag());
      case 34 -> new Message.End(from.secret(), from.flag());
      case 35 -> new Message.Ended(from.secret(), from.size());
      case 36 -> new Message.AskOutcome(from.secret(), from.size());
      case 40 -> new Message.Attach(from.secret(), from.size(), from.number());
      case 41 ->
          new Message.Attached(
              from.secret(), from.number(), from.flag(), from.list(StateReader::number));
      case 42 -> new Message.CancelCall(from.secret(), from.number());
      case 43 -> new Message.Acknowledged(from.secret(), from.number());
      case 44 -> new Message.Forget(from.secret(), from.number());
      case 45 -> new Message.EndPart(from.secret());
      case 46 -> new Message.PartEnded(from.secret(), from.size());
      case 50 -> new Message.AskTypes(from.text(), from.list(StateReader::type), from.size());
      case 51 ->
          new Message.TypesTold(
              from.text(), from.list(StateReader::type), from.list(StateReader::type), from.text());
      case 52 -> new Message.Announce(from.text(), from.type(), from.size());
      case 53 -> new Message.TypeAdded(from.text(), from.type());
      case 54 -> new Message.TypeKnown(from.text(), from.type(), from.size());
      case 55 -> new Message.Announced(from.text(), from.type(), from.text());
      case 56 -> new Message.Prepare(from.secret(), from.flag(), true);
      default -> throw StateReader.malformed("a message is of kind " + kind);
    };
  }

  static void watcher(StateWriter to, Watcher watcher) {
    to.secret(watcher.registration());
    to.entries(watcher.templates());
    to.number(watcher.transaction());
    to.flag(watcher.availability());
    to.flag(watcher.visibilityOnly());
    to.flag(watcher.withEntry());
  }

  static Watcher watcher(StateReader from) {
    return new Watcher(
        from.secret(), from.entries(), from.number(), from.flag(), from.flag(), from.flag());
  }
}
