package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.FieldHash;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import java.util.List;

/**
 * Where a command is decided and recorded. A function of the command and its session only, so that
 * a retry always meets the record of the first try.
 */
public final class Routing {
  private Routing() {}

  /** The cell that decides the command. */
  public static int home(long session, Command command, int cells) {
    int cell = wanted(session, command, cells);
    return cell >= 0 && cell < cells ? cell : homeOf(session, cells);
  }

  /** The cell of the session itself. */
  public static int homeOf(long session, int cells) {
    return Ids.cellOf(session) % cells;
  }

  /** The cell in which a session of that name is opened. */
  public static int homeOfName(long name, int cells) {
    return (int) Math.floorMod(name, (long) cells);
  }

  private static int wanted(long session, Command command, int cells) {
    if (command instanceof Command.Match match && match.templates().size() == 1) {
      EncodedEntry template = match.templates().get(0);
      if (!template.type().equals(EncodedEntry.ANYTHING)) {
        if (BucketKey.isBound(template)) {
          return BucketKey.of(match.space(), template).cell(cells);
        } else if (match.lookFirst() != Command.Match.ANYWHERE) {
          return new BucketKey(match.space(), template.type(), match.lookFirst()).cell(cells);
        }
      }
    } else if (command instanceof Command.Write write && inOneBucket(write.entries())) {
      return BucketKey.of(write.space(), write.entries().get(0)).cell(cells);
    } else if (command instanceof Command.RenewLease renew) {
      return cellOf(renew.lease());
    } else if (command instanceof Command.CancelLease cancel) {
      return cellOf(cancel.lease());
    } else if (command instanceof Command.RenewLeases each && !each.leases().isEmpty()) {
      return cellOf(each.leases().get(0));
    } else if (command instanceof Command.CancelLeases each && !each.leases().isEmpty()) {
      return cellOf(each.leases().get(0));
    } else if (command instanceof Command.BeginForeign begin) {
      long hash = 31L * begin.manager().hashCode() + begin.id();
      return Math.floorMod(FieldHash.mix(hash), cells);
    } else if (command instanceof Command.ListForeign list) {
      return list.cell();
    } else if (command instanceof Command.Prepare prepare) {
      return Ids.cellOf(prepare.transaction());
    } else if (command instanceof Command.Commit commit) {
      return Ids.cellOf(commit.transaction());
    } else if (command instanceof Command.Abort abort) {
      return Ids.cellOf(abort.transaction());
    } else if (command instanceof Command.TransactionState state) {
      return Ids.cellOf(state.transaction());
    }
    return homeOf(session, cells);
  }

  private static boolean inOneBucket(List<EncodedEntry> entries) {
    if (entries.isEmpty()) {
      return false;
    }
    EncodedEntry first = entries.get(0);
    int shard = BucketKey.shardOf(first);
    for (EncodedEntry entry : entries) {
      if (!entry.type().equals(first.type()) || BucketKey.shardOf(entry) != shard) {
        return false;
      }
    }
    return true;
  }

  /** The cell in which the lease is renewed and cancelled; it may be one that does not exist. */
  public static int cellOf(LeaseId lease) {
    return lease.kind() == LeaseId.Kind.ENTRY
        ? EntryHome.cellOf(lease.home())
        : Ids.cellOf(lease.id());
  }
}
