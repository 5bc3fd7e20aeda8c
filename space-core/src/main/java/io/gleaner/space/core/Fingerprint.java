package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import java.util.List;

/**
 * What tells one command of a session from another, so that a number that is used twice is noticed.
 * The number of the session is its key: a client of a gateway does not know it. How many entries
 * are asked for at most is no part of it, because each gateway cuts that to what it allows.
 */
public final class Fingerprint {
  private static final long OF_COMMANDS = 0x636f6d6d616e6473L;

  private Fingerprint() {}

  public static long of(long session, Command command) {
    SipHash to = new SipHash(session, OF_COMMANDS);
    if (command instanceof Command.Write c) {
      to.add(1).add(c.space()).add(c.transaction());
      entries(to, c.entries());
      numbers(to, c.leaseMillis());
      to.add(c.spends().size());
      for (Command.Spend spend : c.spends()) {
        entry(to, spend.entry());
        to.add(spend.exactly());
      }
    } else if (command instanceof Command.Match c) {
      to.add(2).add(c.space()).add(c.mode().name()).add(c.transaction());
      to.add(c.timeoutMillis()).add(c.lookFirst());
      entries(to, c.templates());
    } else if (command instanceof Command.Contents c) {
      to.add(3).add(c.space()).add(c.transaction()).add(c.cursor());
      entries(to, c.templates());
    } else if (command instanceof Command.Register c) {
      to.add(4).add(c.space()).add(c.transaction()).add(c.withEntry());
      to.add(c.visibilityOnly()).add(c.leaseMillis());
      entries(to, c.templates());
    } else if (command instanceof Command.RenewLease c) {
      lease(to.add(5), c.lease());
      to.add(c.millis());
    } else if (command instanceof Command.CancelLease c) {
      lease(to.add(6), c.lease());
    } else if (command instanceof Command.RenewLeases c) {
      to.add(7).add(c.leases().size());
      c.leases().forEach(lease -> lease(to, lease));
      numbers(to, c.millis());
    } else if (command instanceof Command.CancelLeases c) {
      to.add(8).add(c.leases().size());
      c.leases().forEach(lease -> lease(to, lease));
    } else {
      ofOthers(to, command);
    }
    return to.end();
  }

  private static void ofOthers(SipHash to, Command command) {
    if (command instanceof Command.Begin c) {
      to.add(9).add(c.leaseMillis());
    } else if (command instanceof Command.BeginForeign c) {
      to.add(10).add(c.manager()).add(c.proxy()).add(c.id()).add(c.leaseMillis());
    } else if (command instanceof Command.ListForeign c) {
      to.add(11).add(c.cell());
    } else if (command instanceof Command.Prepare c) {
      to.add(12).add(c.transaction());
    } else if (command instanceof Command.Commit c) {
      to.add(13).add(c.transaction());
    } else if (command instanceof Command.Abort c) {
      to.add(14).add(c.transaction());
    } else if (command instanceof Command.TransactionState c) {
      to.add(15).add(c.transaction());
    } else if (command instanceof Command.CancelWait c) {
      to.add(16).add(c.sequence());
    } else {
      throw new IllegalArgumentException("no number is known for " + command.getClass().getName());
    }
  }

  private static void entries(SipHash to, List<EncodedEntry> entries) {
    to.add(entries.size());
    for (EncodedEntry entry : entries) {
      entry(to, entry);
    }
  }

  private static void entry(SipHash to, EncodedEntry entry) {
    to.add(entry.type().name()).add(entry.type().shardField());
    to.add(entry.type().transientEntries());
    texts(to, entry.type().supertypes());
    texts(to, entry.type().fieldNames());
    for (byte[] field : entry.fields()) {
      to.add(field);
    }
  }

  private static void texts(SipHash to, List<String> texts) {
    to.add(texts.size());
    for (String text : texts) {
      to.add(text);
    }
  }

  private static void numbers(SipHash to, List<Long> numbers) {
    to.add(numbers.size());
    for (long number : numbers) {
      to.add(number);
    }
  }

  private static void lease(SipHash to, LeaseId lease) {
    to.add(lease.kind().name()).add(lease.home()).add(lease.id());
  }
}
