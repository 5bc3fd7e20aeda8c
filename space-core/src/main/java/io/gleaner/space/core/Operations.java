package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import io.gleaner.transaction.TransactionPhase;
import io.gleaner.transaction.TransactionPhase.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.jini.core.transaction.server.TransactionConstants;

/** Starts each command, once, in the cell that decides it. */
final class Operations {
  private static final String NO_LEASE =
      "the lease is not known: it ended, was cancelled, or what it kept was taken";

  private final Context context;
  private final Validation validation;
  private final Directories directories;
  private final Participants participants;
  private final Coordinators coordinators;
  private final Questions questions;
  private final Buckets buckets;
  private final Registrations registrations;
  private final SessionHomes homes;

  Operations(
      Context context,
      Directories directories,
      Participants participants,
      Coordinators coordinators,
      Questions questions,
      Buckets buckets,
      Registrations registrations,
      SessionHomes homes) {
    this.context = context;
    this.validation = new Validation(() -> context.limits);
    this.directories = directories;
    this.participants = participants;
    this.coordinators = coordinators;
    this.questions = questions;
    this.buckets = buckets;
    this.registrations = registrations;
    this.homes = homes;
  }

  void start(Call call, Message.Request request) {
    Optional<Reply.Refused> wrong = validation.check(request.command());
    if (wrong.isPresent()) {
      call.answer(wrong.get());
      return;
    }
    Command command = request.command();
    if (command instanceof Command.Match match) {
      match(call, match, request.receipt());
    } else if (command instanceof Command.Write write) {
      Writing writing = new Writing(context, questions, coordinators, call, write);
      call.startsWith(writing);
      writing.start();
    } else if (command instanceof Command.Contents contents) {
      call.startsWith(new Listing(context, questions, directories, call, contents));
      directories.whenKnown(contents.space(), contents.templates(), call);
    } else if (command instanceof Command.Register register) {
      call.startsWith(new Registering(participants, registrations, call, register));
      directories.whenKnown(register.space(), register.templates(), call);
    } else if (command instanceof Command.RenewLease renew) {
      renew(call, renew);
    } else if (command instanceof Command.CancelLease cancel) {
      cancel(call, cancel.lease());
    } else if (command instanceof Command.RenewLeases each) {
      List<Long> granted = new ArrayList<>(each.leases().size());
      for (int i = 0; i < each.leases().size(); i++) {
        granted.add(renewed(each.leases().get(i), each.millis().get(i)).orElse(Reply.NO_LEASE));
      }
      call.answer(new Reply.EachLease(granted));
    } else if (command instanceof Command.CancelLeases each) {
      call.answer(
          new Reply.EachLease(
              each.leases().stream().map(l -> cancelled(l) ? 0 : Reply.NO_LEASE).toList()));
    } else if (command instanceof Command.CancelWait cancel) {
      homes.cancel(request.session(), cancel.sequence(), request.low());
      call.answer(new Reply.Done());
    } else {
      transaction(call, command);
    }
  }

  /** The listing as one that is no operation, if it can be. */
  Optional<Browse> browse(Command.Contents contents) {
    return contents.transaction() == 0
            && directories.isKnown(contents.space(), contents.templates())
            && validation.check(contents).isEmpty()
        ? Pages.of(
                directories.candidates(contents.space(), contents.templates()),
                contents.cursor(),
                contents.limit())
            .map(pages -> new Browse(contents, pages, context.cells))
        : Optional.empty();
  }

  private void match(Call call, Command.Match match, Receipt receipt) {
    boolean reserves = receipt == Receipt.AWAITED && match.mayNeedReceipt();
    call.startsWith(new Matching(context, questions, directories, call, match, reserves));
    directories.whenKnown(match.space(), match.templates(), call);
  }

  private void transaction(Call call, Command command) {
    if (command instanceof Command.Begin begin) {
      call.answer(coordinators.begin(call.session, begin.leaseMillis()));
    } else if (command instanceof Command.BeginForeign begin) {
      call.answer(coordinators.begin(begin));
    } else if (command instanceof Command.ListForeign) {
      call.answer(new Reply.ForeignOnes(coordinators.foreign()));
    } else if (command instanceof Command.Prepare prepare) {
      call.startsWith(new Ending(call, false));
      if (!coordinators.prepare(prepare.transaction(), call)) {
        call.answer(cannotEnd(prepare.transaction(), Reply.Refusal.CANNOT_COMMIT));
      }
    } else if (command instanceof Command.Commit commit) {
      call.startsWith(new Ending(call, true));
      if (!coordinators.end(commit.transaction(), Event.COMMIT_ASKED, call)) {
        call.answer(cannotEnd(commit.transaction(), Reply.Refusal.CANNOT_COMMIT));
      }
    } else if (command instanceof Command.Abort abort) {
      call.startsWith(new Ending(call, false));
      if (!coordinators.end(abort.transaction(), Event.ABORT_ASKED, call)) {
        call.answer(cannotEnd(abort.transaction(), Reply.Refusal.CANNOT_ABORT));
      }
    } else if (command instanceof Command.TransactionState state) {
      call.answer(
          coordinators
              .phase(state.transaction())
              .<Reply>map(phase -> new Reply.StateOf(constant(phase)))
              .orElse(Participants.UNKNOWN));
    }
  }

  private Reply cannotEnd(long transaction, Reply.Refusal refusal) {
    return coordinators
        .phase(transaction)
        .<Reply>map(phase -> new Reply.Refused(refusal, "the transaction is " + phase))
        .orElse(Participants.UNKNOWN);
  }

  private static int constant(TransactionPhase phase) {
    return switch (phase) {
      case ACTIVE -> TransactionConstants.ACTIVE;
      case VOTING, PREPARING -> TransactionConstants.VOTING;
      case PREPARED -> TransactionConstants.PREPARED;
      case COMMITTING, COMMITTED -> TransactionConstants.COMMITTED;
      case ABORTED -> TransactionConstants.ABORTED;
    };
  }

  private void renew(Call call, Command.RenewLease renew) {
    OptionalLong granted = renewed(renew.lease(), renew.millis());
    if (granted.isPresent()) {
      call.answer(new Reply.Renewed(granted.getAsLong()));
    } else {
      call.refuse(Reply.Refusal.UNKNOWN_LEASE, NO_LEASE);
    }
  }

  private OptionalLong renewed(LeaseId lease, long millis) {
    return switch (lease.kind()) {
      case ENTRY ->
          buckets
              .ofLease(lease.home())
              .map(bucket -> bucket.leases().renew(lease.id(), millis))
              .orElse(OptionalLong.empty());
      case TRANSACTION -> coordinators.renew(lease.id(), millis);
      case REGISTRATION -> registrations.renew(lease.id(), millis);
    };
  }

  private void cancel(Call call, LeaseId lease) {
    if (lease.kind() == LeaseId.Kind.TRANSACTION) {
      call.startsWith(new Ending(call, false));
      if (!coordinators.end(lease.id(), Event.ABORT_ASKED, call)) {
        call.refuse(Reply.Refusal.UNKNOWN_LEASE, NO_LEASE);
      }
    } else if (cancelled(lease)) {
      call.answer(new Reply.Done());
    } else {
      call.refuse(Reply.Refusal.UNKNOWN_LEASE, NO_LEASE);
    }
  }

  /** False if it is not known; the end of a transaction goes on by itself. */
  private boolean cancelled(LeaseId lease) {
    return switch (lease.kind()) {
      case ENTRY ->
          buckets.ofLease(lease.home()).map(b -> b.leases().cancel(lease.id())).orElse(false);
      case TRANSACTION -> coordinators.abort(lease.id());
      case REGISTRATION -> registrations.end(lease.id());
    };
  }

  /** Whether the command, decided here, changes entries of transient classes and nothing else. */
  boolean concernsTransientOnly(Command command) {
    if (command instanceof Command.Write write) {
      return write.transaction() == 0
          && write.entries().stream().allMatch(entry -> entry.type().transientEntries());
    } else if (command instanceof Command.Match match) {
      return match.transaction() == 0
          && directories.isKnown(match.space(), match.templates())
          && directories.candidates(match.space(), match.templates()).stream()
              .allMatch(bucket -> bucket.type().transientEntries());
    } else if (command instanceof Command.RenewLease renew) {
      return isOfTransientEntry(renew.lease());
    } else if (command instanceof Command.CancelLease cancel) {
      return isOfTransientEntry(cancel.lease());
    } else if (command instanceof Command.RenewLeases each) {
      return each.leases().stream().allMatch(this::isOfTransientEntry);
    } else if (command instanceof Command.CancelLeases each) {
      return each.leases().stream().allMatch(this::isOfTransientEntry);
    }
    return false;
  }

  private boolean isOfTransientEntry(LeaseId lease) {
    return lease.kind() == LeaseId.Kind.ENTRY
        && buckets
            .ofLease(lease.home())
            .map(bucket -> bucket.key().type().transientEntries())
            .orElse(false);
  }

  /** Reads the work of a call. */
  Work load(Call call, StateReader from) {
    int kind = from.size();
    return switch (kind) {
      case 0 -> Work.NONE;
      case Matching.KIND -> {
        Matching matching =
            new Matching(
                context,
                questions,
                directories,
                call,
                (Command.Match) CommandCodec.read(from),
                from.flag());
        matching.load(from);
        yield matching;
      }
      case Writing.KIND -> {
        Writing writing =
            new Writing(
                context, questions, coordinators, call, (Command.Write) CommandCodec.read(from));
        writing.load(from);
        yield writing;
      }
      case Listing.KIND -> {
        Listing listing =
            new Listing(
                context, questions, directories, call, (Command.Contents) CommandCodec.read(from));
        listing.load(from);
        yield listing;
      }
      case Ending.KIND -> Ending.load(call, from);
      case Registering.KIND ->
          new Registering(
              participants, registrations, call, (Command.Register) CommandCodec.read(from));
      default -> throw StateReader.malformed("the work of a call is of kind " + kind);
    };
  }
}
