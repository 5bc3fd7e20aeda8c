package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import java.util.List;

/** What the space answers to a {@link Command}. Values only. */
public sealed interface Reply {

  /** A lease as granted: its name and the milliseconds it runs from now. */
  record Granted(LeaseId lease, long millis) {}

  /** One grant per entry written. */
  record Written(List<Granted> leases) implements Reply {
    public Written {
      leases = List.copyOf(leases);
    }
  }

  /** What was found; empty when the time ran out or nothing exists. */
  record Matched(List<EncodedEntry> entries) implements Reply {
    public Matched {
      entries = List.copyOf(entries);
    }
  }

  /**
   * What was found for a take that waited: it is reserved until the client acknowledges it with
   * {@link Receipt#GIVEN}, which is answered with {@link Done} or {@link Refusal#GIVEN_BACK}.
   */
  record Reserved(List<EncodedEntry> entries) implements Reply {
    public Reserved {
      entries = List.copyOf(entries);
    }
  }

  /** A page of a listing; an empty cursor says that it was the last. */
  record Listed(List<EncodedEntry> entries, String cursor) implements Reply {
    public Listed {
      entries = List.copyOf(entries);
    }
  }

  /** The registration's number and lease, and the sequence number of the last event before it. */
  record Registered(long eventId, Granted lease, long sequence) implements Reply {}

  record Renewed(long millis) implements Reply {}

  /** What {@link EachLease} says of a lease that is not known. */
  long NO_LEASE = -1;

  /** For each lease asked about what was granted, 0 if it was cancelled, or {@link #NO_LEASE}. */
  record EachLease(List<Long> millis) implements Reply {
    public EachLease {
      millis = List.copyOf(millis);
    }
  }

  record Began(long transaction, Granted lease) implements Reply {}

  /** A transaction that stands for one of another manager; see {@link Command.BeginForeign}. */
  record Foreign(String manager, String proxy, long id, long transaction) {}

  record ForeignOnes(List<Foreign> transactions) implements Reply {
    public ForeignOnes {
      transactions = List.copyOf(transactions);
    }
  }

  /**
   * The state of a transaction, one of the constants of {@code
   * net.jini.core.transaction.server.TransactionConstants}.
   */
  record StateOf(int state) implements Reply {}

  /** It is done and there is nothing to say. */
  record Done() implements Reply {}

  /** It was refused and nothing changed. */
  record Refused(Refusal code, String message) implements Reply {}

  /** Why the space refuses; stable names that clients may rely on. */
  enum Refusal {
    /** The transaction is not known: never begun, ended, or its lease ran out. */
    UNKNOWN_TRANSACTION,
    /** The transaction is known but can no longer be committed. */
    CANNOT_COMMIT,
    /** The transaction is being committed or was; it can no longer be aborted. */
    CANNOT_ABORT,
    /** The lease is not known: it ended or was cancelled. */
    UNKNOWN_LEASE,
    /** The lease asked for is not granted. */
    LEASE_DENIED,
    /** The answer of this operation is no longer kept; it was or was not done. */
    OUTCOME_UNKNOWN,
    /** The session is not known, so the operation was not carried out: ask it in a new session. */
    UNKNOWN_SESSION,
    /** What was found for it was not acknowledged in time and is not its any more; ask anew. */
    GIVEN_BACK,
    /** A size or count is over a limit. */
    LIMIT,
    /** Too much is under way; when some of it is answered there is room again. */
    OVERLOADED,
    /** The command makes no sense. */
    INVALID,
    /** The caller may not do this. */
    FORBIDDEN,
    /** The space is closing or recovering; try again. */
    UNAVAILABLE,
    /** The storage does not answer: it is or will be done, or not at all; the session goes on. */
    STORAGE_SILENT
  }
}
