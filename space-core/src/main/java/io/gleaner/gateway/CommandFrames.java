package io.gleaner.gateway;

import static io.gleaner.gateway.Protocol.require;
import static io.gleaner.gateway.Protocol.requireKnown;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import java.util.ArrayList;
import java.util.List;

/** Commands as messages and back. */
final class CommandFrames {

  private CommandFrames() {}

  static Wire.Execute write(long session, long sequence, long lowestUnanswered, Command command) {
    Wire.Execute.Builder frame =
        Wire.Execute.newBuilder()
            .setSession(session)
            .setSequence(sequence)
            .setLowestUnanswered(lowestUnanswered);
    EntryWriter writer = new EntryWriter();
    if (command instanceof Command.Write c) {
      frame.setWrite(
          Wire.Write.newBuilder()
              .setSpace(c.space())
              .addAllEntries(writer.entries(c.entries()))
              .addAllLeaseMillis(c.leaseMillis())
              .setTransaction(c.transaction()));
    } else if (command instanceof Command.Match c) {
      frame.setMatch(
          Wire.Match.newBuilder()
              .setSpace(c.space())
              .setMode(Wire.Match.Mode.valueOf(c.mode().name()))
              .addAllTemplates(writer.entries(c.templates()))
              .setTransaction(c.transaction())
              .setTimeoutMillis(c.timeoutMillis())
              .setLimit(c.limit())
              .setLookFirst(c.lookFirst() + 1));
    } else if (command instanceof Command.Contents c) {
      frame.setContents(
          Wire.Contents.newBuilder()
              .setSpace(c.space())
              .addAllTemplates(writer.entries(c.templates()))
              .setTransaction(c.transaction())
              .setCursor(c.cursor())
              .setLimit(c.limit()));
    } else if (command instanceof Command.Register c) {
      frame.setRegister(
          Wire.Register.newBuilder()
              .setSpace(c.space())
              .addAllTemplates(writer.entries(c.templates()))
              .setTransaction(c.transaction())
              .setWithEntry(c.withEntry())
              .setVisibilityOnly(c.visibilityOnly())
              .setLeaseMillis(c.leaseMillis()));
    } else if (command instanceof Command.RenewLease c) {
      frame.setRenewLease(
          Wire.RenewLease.newBuilder().setLease(lease(c.lease())).setMillis(c.millis()));
    } else if (command instanceof Command.CancelLease c) {
      frame.setCancelLease(Wire.CancelLease.newBuilder().setLease(lease(c.lease())));
    } else if (command instanceof Command.RenewLeases c) {
      frame.setRenewLeases(
          Wire.RenewLeases.newBuilder()
              .addAllLeases(c.leases().stream().map(CommandFrames::lease).toList())
              .addAllMillis(c.millis()));
    } else if (command instanceof Command.CancelLeases c) {
      frame.setCancelLeases(
          Wire.CancelLeases.newBuilder()
              .addAllLeases(c.leases().stream().map(CommandFrames::lease).toList()));
    } else if (command instanceof Command.Begin c) {
      frame.setBegin(Wire.Begin.newBuilder().setLeaseMillis(c.leaseMillis()));
    } else if (command instanceof Command.BeginForeign c) {
      frame.setBeginForeign(
          Wire.BeginForeign.newBuilder()
              .setManager(c.manager())
              .setProxy(c.proxy())
              .setId(c.id())
              .setLeaseMillis(c.leaseMillis()));
    } else if (command instanceof Command.Prepare c) {
      frame.setPrepare(Wire.Prepare.newBuilder().setTransaction(c.transaction()));
    } else if (command instanceof Command.Commit c) {
      frame.setCommit(Wire.Commit.newBuilder().setTransaction(c.transaction()));
    } else if (command instanceof Command.Abort c) {
      frame.setAbort(Wire.Abort.newBuilder().setTransaction(c.transaction()));
    } else if (command instanceof Command.TransactionState c) {
      frame.setTransactionState(Wire.TransactionState.newBuilder().setTransaction(c.transaction()));
    } else if (command instanceof Command.CancelWait c) {
      frame.setCancelWait(Wire.CancelWait.newBuilder().setSequence(c.sequence()));
    } else {
      throw new AssertionError("the protocol does not carry " + command.getClass());
    }
    return frame.addAllTypes(writer.types()).build();
  }

  static Command read(Wire.Execute frame) throws MalformedFrame {
    requireKnown(frame);
    EntryReader reader = EntryReader.of(frame.getTypesList());
    return switch (frame.getCommandCase()) {
      case WRITE -> {
        Wire.Write write = known(frame.getWrite());
        require(
            write.getEntriesCount() == write.getLeaseMillisCount(),
            write.getEntriesCount() + " entries come with " + write.getLeaseMillisCount());
        yield new Command.Write(
            write.getSpace(),
            reader.entries(write.getEntriesList()),
            write.getLeaseMillisList(),
            write.getTransaction());
      }
      case MATCH -> {
        Wire.Match match = known(frame.getMatch());
        yield new Command.Match(
            match.getSpace(),
            mode(match.getMode()),
            reader.entries(match.getTemplatesList()),
            match.getTransaction(),
            match.getTimeoutMillis(),
            match.getLimit(),
            match.getLookFirst() - 1);
      }
      case CONTENTS -> {
        Wire.Contents contents = known(frame.getContents());
        yield new Command.Contents(
            contents.getSpace(),
            reader.entries(contents.getTemplatesList()),
            contents.getTransaction(),
            contents.getCursor(),
            contents.getLimit());
      }
      case REGISTER -> {
        Wire.Register register = known(frame.getRegister());
        yield new Command.Register(
            register.getSpace(),
            reader.entries(register.getTemplatesList()),
            register.getTransaction(),
            register.getWithEntry(),
            register.getVisibilityOnly(),
            register.getLeaseMillis());
      }
      case RENEW_LEASE -> {
        Wire.RenewLease renew = known(frame.getRenewLease());
        yield new Command.RenewLease(lease(renew.getLease()), renew.getMillis());
      }
      case CANCEL_LEASE -> new Command.CancelLease(lease(known(frame.getCancelLease()).getLease()));
      case RENEW_LEASES -> {
        Wire.RenewLeases each = known(frame.getRenewLeases());
        require(
            each.getLeasesCount() == each.getMillisCount(),
            each.getLeasesCount() + " leases come with " + each.getMillisCount());
        yield new Command.RenewLeases(leases(each.getLeasesList()), each.getMillisList());
      }
      case CANCEL_LEASES ->
          new Command.CancelLeases(leases(known(frame.getCancelLeases()).getLeasesList()));
      case BEGIN -> new Command.Begin(known(frame.getBegin()).getLeaseMillis());
      case BEGIN_FOREIGN -> {
        Wire.BeginForeign begin = known(frame.getBeginForeign());
        yield new Command.BeginForeign(
            begin.getManager(), begin.getProxy(), begin.getId(), begin.getLeaseMillis());
      }
      case PREPARE -> new Command.Prepare(known(frame.getPrepare()).getTransaction());
      case COMMIT -> new Command.Commit(known(frame.getCommit()).getTransaction());
      case ABORT -> new Command.Abort(known(frame.getAbort()).getTransaction());
      case TRANSACTION_STATE ->
          new Command.TransactionState(known(frame.getTransactionState()).getTransaction());
      case CANCEL_WAIT -> new Command.CancelWait(known(frame.getCancelWait()).getSequence());
      case COMMAND_NOT_SET -> throw new MalformedFrame("an operation has no command");
    };
  }

  static Wire.LeaseId lease(LeaseId lease) {
    return Wire.LeaseId.newBuilder()
        .setKind(Wire.LeaseId.Kind.valueOf(lease.kind().name()))
        .setHome(lease.home())
        .setId(lease.id())
        .build();
  }

  private static List<LeaseId> leases(List<Wire.LeaseId> each) throws MalformedFrame {
    List<LeaseId> leases = new ArrayList<>(each.size());
    for (Wire.LeaseId lease : each) {
      leases.add(lease(lease));
    }
    return leases;
  }

  static LeaseId lease(Wire.LeaseId lease) throws MalformedFrame {
    requireKnown(lease);
    return switch (lease.getKind()) {
      case ENTRY -> new LeaseId(LeaseId.Kind.ENTRY, lease.getHome(), lease.getId());
      case TRANSACTION -> new LeaseId(LeaseId.Kind.TRANSACTION, lease.getHome(), lease.getId());
      case REGISTRATION -> new LeaseId(LeaseId.Kind.REGISTRATION, lease.getHome(), lease.getId());
      case UNSPECIFIED, UNRECOGNIZED -> throw new MalformedFrame("a lease is of no known kind");
    };
  }

  private static Command.Mode mode(Wire.Match.Mode mode) throws MalformedFrame {
    return switch (mode) {
      case READ -> Command.Mode.READ;
      case READ_IF_EXISTS -> Command.Mode.READ_IF_EXISTS;
      case TAKE -> Command.Mode.TAKE;
      case TAKE_IF_EXISTS -> Command.Mode.TAKE_IF_EXISTS;
      case UNSPECIFIED, UNRECOGNIZED -> throw new MalformedFrame("a match has no known mode");
    };
  }

  private static <M extends com.google.protobuf.Message> M known(M message) throws MalformedFrame {
    requireKnown(message);
    return message;
  }
}
