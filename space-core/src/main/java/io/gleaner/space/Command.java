package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import java.util.List;

/**
 * What a client may ask of the space. Values only: the same command is decided by the pure core,
 * carried by the gateway's frames and replayed by the simulator.
 *
 * <p>Durations are milliseconds; {@link Long#MAX_VALUE} means without end. A transaction of 0 means
 * none. {@code space} is the name of one of the isolated spaces of the node.
 */
public sealed interface Command {

  /**
   * Writes all entries or none; {@code leaseMillis} has one element per entry.
   *
   * @param spends what the transaction must have taken for it; each is spent by one write only
   */
  record Write(
      String space,
      List<EncodedEntry> entries,
      List<Long> leaseMillis,
      long transaction,
      List<Spend> spends)
      implements Command {
    public Write {
      entries = List.copyOf(entries);
      leaseMillis = List.copyOf(leaseMillis);
      spends = List.copyOf(spends);
      if (entries.size() != leaseMillis.size()) {
        throw new IllegalArgumentException(
            entries.size() + " entries with " + leaseMillis.size() + " leases");
      }
    }

    /** Spends nothing. */
    public Write(
        String space, List<EncodedEntry> entries, List<Long> leaseMillis, long transaction) {
      this(space, entries, leaseMillis, transaction, List.of());
    }
  }

  /**
   * An entry of others that a transaction has taken, by which a {@link Write} is allowed. Where
   * nothing of that kind was taken, or all of it is spent, the write is {@link
   * Reply.Refusal#FORBIDDEN}.
   *
   * @param entry a template of the very class of the entry; names its shard
   * @param exactly whether it is that entry itself, and not a template
   */
  record Spend(EncodedEntry entry, boolean exactly) {

    /** Whether it is spent for this. */
    public boolean isOf(EncodedEntry taken) {
      return exactly ? entry.equals(taken) : entry.matches(taken);
    }
  }

  /** How a {@link Match} treats what it finds, and for what it waits. */
  enum Mode {
    READ,
    READ_IF_EXISTS,
    TAKE,
    TAKE_IF_EXISTS;

    public boolean takes() {
      return this == TAKE || this == TAKE_IF_EXISTS;
    }

    public boolean ifExists() {
      return this == READ_IF_EXISTS || this == TAKE_IF_EXISTS;
    }
  }

  /**
   * Finds at most {@code limit} entries that match any of the templates, waiting up to {@code
   * timeoutMillis} until there is at least one.
   *
   * @param lookFirst the shard to look into first, if there is one template and it names none; it
   *     is decided there. {@link #ANYWHERE} if the asker has no idea
   */
  record Match(
      String space,
      Mode mode,
      List<EncodedEntry> templates,
      long transaction,
      long timeoutMillis,
      int limit,
      int lookFirst)
      implements Command {
    public static final int ANYWHERE = -1;

    public Match {
      templates = List.copyOf(templates);
    }

    /** Looks anywhere first. */
    public Match(
        String space,
        Mode mode,
        List<EncodedEntry> templates,
        long transaction,
        long timeoutMillis,
        int limit) {
      this(space, mode, templates, transaction, timeoutMillis, limit, ANYWHERE);
    }

    /** The same, waiting no longer than that. */
    public Match within(long millis) {
      return new Match(space, mode, templates, transaction, millis, limit, lookFirst);
    }

    /** Whether it takes something after a wait, and keeps it whatever its client does. */
    public boolean mayNeedReceipt() {
      return mode.takes() && transaction == 0 && timeoutMillis > 0;
    }
  }

  /**
   * Lists entries that match any of the templates, in pages.
   *
   * @param cursor empty for the first page, else that of the page before
   */
  record Contents(
      String space, List<EncodedEntry> templates, long transaction, String cursor, int limit)
      implements Command {
    public Contents {
      templates = List.copyOf(templates);
    }
  }

  /**
   * Registers for events: one {@link SpaceEvent} whenever a matching entry becomes visible.
   *
   * @param withEntry whether the event carries the entry (availability events) or only its number
   * @param visibilityOnly availability events only: leave out entries that could be read before and
   *     from which only a lock was released
   */
  record Register(
      String space,
      List<EncodedEntry> templates,
      long transaction,
      boolean withEntry,
      boolean visibilityOnly,
      long leaseMillis)
      implements Command {
    public Register {
      templates = List.copyOf(templates);
    }
  }

  record RenewLease(LeaseId lease, long millis) implements Command {}

  record CancelLease(LeaseId lease) implements Command {}

  /** Renews leases of one home, each for its own time; answers {@link Reply.EachLease}. */
  record RenewLeases(List<LeaseId> leases, List<Long> millis) implements Command {
    public RenewLeases {
      leases = List.copyOf(leases);
      millis = List.copyOf(millis);
      if (leases.size() != millis.size()) {
        throw new IllegalArgumentException(leases.size() + " leases with " + millis.size());
      }
    }
  }

  /**
   * Cancels leases of one home; answers {@link Reply.EachLease} and does not wait until
   * transactions are over.
   */
  record CancelLeases(List<LeaseId> leases) implements Command {
    public CancelLeases {
      leases = List.copyOf(leases);
    }
  }

  /** Starts a transaction; its lease is renewed and cancelled by {@link LeaseId} like any other. */
  record Begin(long leaseMillis) implements Command {}

  /**
   * Begins a transaction that stands for one of another manager, or answers the one that already
   * does. No session owns it.
   *
   * @param manager names the manager among all
   * @param proxy how to reach it, for whoever recovers; the space does not look into it
   * @param id the manager's number of the transaction
   */
  record BeginForeign(String manager, String proxy, long id, long leaseMillis) implements Command {}

  /** The transactions that stand for foreign ones and began in the cell; for the node itself. */
  record ListForeign(int cell) implements Command {}

  /**
   * Prepares the transaction: it keeps what it holds until {@link Commit} or {@link Abort}, without
   * a lease. Answers {@link Reply.StateOf} PREPARED, NOTCHANGED (and it is over) or ABORTED.
   */
  record Prepare(long transaction) implements Command {}

  record Commit(long transaction) implements Command {}

  record Abort(long transaction) implements Command {}

  record TransactionState(long transaction) implements Command {}

  /** Ends the wait of an earlier {@link Match} of the same session; it answers with nothing. */
  record CancelWait(long sequence) implements Command {}
}
