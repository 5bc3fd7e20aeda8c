package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Receipt;
import io.gleaner.space.Reply;
import java.util.List;

/**
 * What a cell is told. Values only. Cells write {@link Letter}s to each other, which may be lost,
 * repeated and overtake each other like the requests of clients; what is in them is read exactly
 * once and in order.
 */
public sealed interface Message {

  // Clients.

  /**
   * Opens the session that the holder calls by that name, or finds it again; goes to {@link
   * Routing#homeOfName}. Its lease starts anew.
   *
   * @param name hard to guess: who knows it and the holder may use the session
   * @param leaseMillis wanted; negative for as much as there is
   * @param tenure counts by how many ways its client has come to hold it
   * @param begins whether to open one if there is none
   */
  record Open(
      Caller caller, String holder, long name, long leaseMillis, long tenure, boolean begins)
      implements Message {}

  /** The clients of these sessions, all of this cell, live: their leases start anew. */
  record Renew(List<Long> sessions) implements Message {}

  /** Ends the session, unless it is held by a later tenure. */
  record Close(Caller caller, long session, long tenure) implements Message {}

  /**
   * Goes to {@link Routing#home}.
   *
   * @param fingerprint of the command, see {@link Fingerprint}
   */
  record Request(
      Caller caller,
      long session,
      long sequence,
      long low,
      long fingerprint,
      Command command,
      Receipt receipt)
      implements Message {

    /** Asks for what needs no receipt. */
    public Request(Caller caller, long session, long sequence, long low, Command command) {
      this(caller, session, sequence, low, command, Receipt.NONE);
    }

    public Request(
        Caller caller, long session, long sequence, long low, Command command, Receipt receipt) {
      this(caller, session, sequence, low, Fingerprint.of(session, command), command, receipt);
    }

    /** The same, asked by somebody else. */
    public Request by(Caller another) {
      return new Request(another, session, sequence, low, fingerprint, command, receipt);
    }
  }

  /**
   * Looks what a bucket holds, for a {@link Browse}; goes to the cell of the bucket and is no input
   * of it.
   *
   * @param after the number of the last entry that was seen before
   * @param holder 0 for what anybody may see, else the transaction of which only that is seen which
   *     it took
   */
  record Look(
      Caller caller,
      BucketKey bucket,
      List<EncodedEntry> templates,
      long after,
      int limit,
      long holder)
      implements Message {

    /** Looks for what anybody may see. */
    Look(Caller caller, BucketKey bucket, List<EncodedEntry> templates, long after, int limit) {
      this(caller, bucket, templates, after, limit, 0);
    }

    /** The same, asked by another one. */
    public Look by(Caller another) {
      return new Look(another, bucket, templates, after, limit, holder);
    }
  }

  // Between cells.

  /**
   * What one cell tells another.
   *
   * @param number from 1, for each pair of cells
   * @param read the number of the last letter from the receiver that the sender has read
   */
  record Letter(int from, long number, long read, Message content) implements Message {}

  /** The sender has read the receiver's letters up to this number. */
  record Received(int from, long read) implements Message {}

  // Sessions: their home and the cells that keep a part of their records.

  record Attach(long session, int from, long attempt) implements Message {}

  record Attached(long session, long attempt, boolean alive, List<Long> cancelled)
      implements Message {}

  record CancelCall(long session, long sequence) implements Message {}

  /** The client has all answers below {@code low}: their records may go, in every cell. */
  record Acknowledged(long session, long low) implements Message {}

  /** As {@link Acknowledged}, from the session's home to a cell with records of it. */
  record Forget(long session, long low) implements Message {}

  record EndPart(long session) implements Message {}

  record PartEnded(long session, int from) implements Message {}

  // The directory of a space: which entry classes it has.

  /** Asks for all classes that match templates of these classes, now and from now on. */
  record AskTypes(String space, List<EntryType> templates, int from) implements Message {}

  /**
   * The classes that there are; those that come are told as {@link TypeAdded}.
   *
   * @param refusal why none will be told; empty if it is not refused
   */
  record TypesTold(String space, List<EntryType> templates, List<EntryType> types, String refusal)
      implements Message {}

  record Announce(String space, EntryType type, int from) implements Message {}

  record TypeAdded(String space, EntryType type) implements Message {}

  record TypeKnown(String space, EntryType type, int from) implements Message {}

  /**
   * Entries of the class may be written.
   *
   * @param refusal why they may not; empty if they may
   */
  record Announced(String space, EntryType type, String refusal) implements Message {}

  // Questions of an operation's home to buckets, and their answers.

  /**
   * Looks for entries.
   *
   * @param waits whether to go on looking until something comes
   * @param patient whether to wait for those who are deciding about an entry that matches
   */
  record Probe(
      ProbeId id,
      BucketKey bucket,
      Command.Mode mode,
      List<EncodedEntry> templates,
      long transaction,
      int limit,
      boolean waits,
      boolean patient)
      implements Message {}

  /**
   * Asks which of these buckets, all of one cell, have something for a probe. Changes nothing and
   * is answered at once.
   */
  record Scout(
      ProbeId id,
      List<BucketKey> buckets,
      Command.Mode mode,
      List<EncodedEntry> templates,
      long transaction)
      implements Message {

    /** A probe of one of the buckets. */
    Probe probe(BucketKey bucket) {
      return new Probe(id, bucket, mode, templates, transaction, 1, false, false);
    }
  }

  record Put(
      ProbeId id,
      BucketKey bucket,
      List<EncodedEntry> entries,
      List<Long> leaseMillis,
      long transaction)
      implements Message {}

  /**
   * Spends what the transaction has taken in the bucket, all of it or nothing; answered with {@link
   * PutDone} or {@link ProbeRefused}.
   */
  record Spend(ProbeId id, BucketKey bucket, List<Command.Spend> entries, long transaction)
      implements Message {}

  /** What was spent under that name is not. */
  record Unspend(ProbeId id, long transaction) implements Message {}

  record Page(
      ProbeId id,
      BucketKey bucket,
      List<EncodedEntry> templates,
      long transaction,
      long after,
      int limit)
      implements Message {}

  /** Reports to {@link Sighted} what becomes visible in the bucket, from now on. */
  record Watch(ProbeId id, BucketKey bucket, Watcher watcher) implements Message {}

  record Unwatch(BucketKey bucket, long registration) implements Message {}

  /** Ends a probe: what was offered is taken, or is free again and nothing more is looked for. */
  record Settle(ProbeId id, BucketKey bucket, boolean accepted) implements Message {}

  /** What was offered stays reserved until the client of the take has given its receipt. */
  record Keep(ProbeId id, BucketKey bucket) implements Message {}

  /** Found; entries of a take are reserved until {@link Settle}. */
  record Offer(ProbeId id, List<EncodedEntry> entries) implements Message {}

  /** Not found now; {@code locked} tells that a transaction holds an entry that matches. */
  record Nothing(ProbeId id, boolean locked) implements Message {}

  /**
   * What a {@link Scout} saw.
   *
   * @param promising the places in its list, from 0, of buckets where an entry is free that
   *     matches, or somebody is deciding about one
   * @param locked tells that a transaction holds an entry that matches, in another one of them
   */
  record Scouted(ProbeId id, List<Integer> promising, boolean locked) implements Message {}

  record PutDone(ProbeId id, List<Reply.Granted> leases) implements Message {}

  record Listing(ProbeId id, List<EncodedEntry> entries, long last, boolean more)
      implements Message {}

  record Watching(ProbeId id) implements Message {}

  record ProbeRefused(ProbeId id, Reply.Refused refusal) implements Message {}

  record Sighted(long registration, BucketKey bucket, EncodedEntry entry, boolean becameVisible)
      implements Message {}

  // Transactions: the coordinator and the cells that take part.

  record Join(long transaction, int from, long attempt) implements Message {}

  record Joined(long transaction, long attempt, boolean active) implements Message {}

  /**
   * Asks to prepare.
   *
   * @param only the only participant commits at once
   * @param lasting somebody outside decides, which may take long: nobody waits for that, until the
   *     same is asked without it, because the commit is decided
   */
  record Prepare(long transaction, boolean only, boolean lasting) implements Message {}

  record Voted(long transaction, int from, boolean prepared) implements Message {}

  record End(long transaction, boolean committed) implements Message {}

  record Ended(long transaction, int from) implements Message {}

  /** A participant that has not heard for long asks how it ended. */
  record AskOutcome(long transaction, int from) implements Message {}
}
