package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;

/** Commands as bytes and back. */
final class CommandCodec {
  private CommandCodec() {}

  static void write(StateWriter to, Command command) {
    if (command instanceof Command.Write c) {
      to.count(1);
      to.text(c.space());
      to.entries(c.entries());
      to.list(c.leaseMillis(), StateWriter::number);
      to.number(c.transaction());
      to.list(c.spends(), CommandCodec::spend);
    } else if (command instanceof Command.Match c) {
      to.count(2);
      to.text(c.space());
      to.text(c.mode().name());
      to.entries(c.templates());
      to.number(c.transaction());
      to.number(c.timeoutMillis());
      to.number(c.limit());
      to.number(c.lookFirst());
    } else if (command instanceof Command.Contents c) {
      to.count(3);
      to.text(c.space());
      to.entries(c.templates());
      to.number(c.transaction());
      to.text(c.cursor());
      to.number(c.limit());
    } else if (command instanceof Command.Register c) {
      to.count(4);
      to.text(c.space());
      to.entries(c.templates());
      to.number(c.transaction());
      to.flag(c.withEntry());
      to.flag(c.visibilityOnly());
      to.number(c.leaseMillis());
    } else if (command instanceof Command.RenewLease c) {
      to.count(5);
      lease(to, c.lease());
      to.number(c.millis());
    } else if (command instanceof Command.CancelLease c) {
      to.count(6);
      lease(to, c.lease());
    } else if (command instanceof Command.Begin c) {
      to.count(7);
      to.number(c.leaseMillis());
    } else if (command instanceof Command.Commit c) {
      to.count(8);
      to.number(c.transaction());
    } else if (command instanceof Command.Abort c) {
      to.count(9);
      to.number(c.transaction());
    } else if (command instanceof Command.TransactionState c) {
      to.count(10);
      to.number(c.transaction());
    } else if (command instanceof Command.CancelWait c) {
      to.count(11);
      to.number(c.sequence());
    } else if (command instanceof Command.BeginForeign c) {
      to.count(12);
      to.text(c.manager());
      to.text(c.proxy());
      to.number(c.id());
      to.number(c.leaseMillis());
    } else if (command instanceof Command.ListForeign c) {
      to.count(13);
      to.number(c.cell());
    } else if (command instanceof Command.Prepare c) {
      to.count(14);
      to.number(c.transaction());
    } else if (command instanceof Command.RenewLeases c) {
      to.count(15);
      to.list(c.leases(), CommandCodec::lease);
      to.list(c.millis(), StateWriter::number);
    } else if (command instanceof Command.CancelLeases c) {
      to.count(16);
      to.list(c.leases(), CommandCodec::lease);
    } else {
      throw new IllegalArgumentException("there is no form for a " + command.getClass().getName());
    }
  }

  static Command read(StateReader from) {
    int kind = from.size();
    return switch (kind) {
      case 1 ->
          new Command.Write(
              from.text(),
              from.entries(),
              from.list(StateReader::number),
              from.number(),
              from.list(CommandCodec::spend));
      case 2 ->
          new Command.Match(
              from.text(),
              Command.Mode.valueOf(from.text()),
              from.entries(),
              from.number(),
              from.number(),
              (int) from.number(),
              (int) from.number());
      case 3 ->
          new Command.Contents(
              from.text(), from.entries(), from.number(), from.text(), (int) from.number());
      case 4 ->
          new Command.Register(
              from.text(), from.entries(), from.number(), from.flag(), from.flag(), from.number());
      case 5 -> new Command.RenewLease(lease(from), from.number());
      case 6 -> new Command.CancelLease(lease(from));
      case 7 -> new Command.Begin(from.number());
      case 8 -> new Command.Commit(from.number());
      case 9 -> new Command.Abort(from.number());
      case 10 -> new Command.TransactionState(from.number());
      case 11 -> new Command.CancelWait(from.number());
      case 12 -> new Command.BeginForeign(from.text(), from.text(), from.number(), from.number());
      case 13 -> new Command.ListForeign((int) from.number());
      case 15 ->
          new Command.RenewLeases(from.list(CommandCodec::lease), from.list(StateReader::number));
      case 16 -> new Command.CancelLeases(from.list(CommandCodec::lease));
      case 14 -> new Command.Prepare(from.number());
      default -> throw StateReader.malformed("a command is of kind " + kind);
    };
  }

  static void spend(StateWriter to, Command.Spend spend) {
    to.entry(spend.entry());
    to.flag(spend.exactly());
  }

  static Command.Spend spend(StateReader from) {
    return new Command.Spend(from.entry(), from.flag());
  }

  static void lease(StateWriter to, LeaseId lease) {
    to.text(lease.kind().name());
    to.text(lease.home());
    to.secret(lease.id());
  }

  static LeaseId lease(StateReader from) {
    return new LeaseId(LeaseId.Kind.valueOf(from.text()), from.text(), from.secret());
  }
}
