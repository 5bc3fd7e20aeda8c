package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An entry in its bucket with its lease and its locks; for one thread.
 *
 * <p>It is free, or written, read or taken by transactions, or reserved by a probe whose operation
 * has not decided yet. Source of the lock rules: JavaSpaces specification, JS.3.
 */
final class Stored {
  final Long number;

  /** The secret number of its lease. */
  final Long lease;

  final EncodedEntry entry;
  final Bucket bucket;
  Deadlines.Handle expiry;

  /** What its lease was granted for. */
  long leaseMillis;

  /** The transaction that wrote it and is not over, or 0. */
  long writer;

  /** The transaction that took it and is not over, or 0. */
  long taker;

  /** The probe that reserved it, or null. */
  ProbeId reservedBy;

  /** Its lease ended: if it is taken or reserved, it will not come back. */
  boolean expired;

  private Set<Long> readers;

  Stored(Long number, Long lease, EncodedEntry entry, Bucket bucket, long writer) {
    this.number = number;
    this.lease = lease;
    this.entry = entry;
    this.bucket = bucket;
    this.writer = writer;
  }

  /** Whether the transaction, 0 for none, can read it. */
  boolean isVisibleTo(long transaction) {
    return !expired && reservedBy == null && taker == 0 && (writer == 0 || writer == transaction);
  }

  /** Whether the transaction, 0 for none, can take it. */
  boolean isTakeableBy(long transaction) {
    return isVisibleTo(transaction)
        && (readers == null || (readers.size() == 1 && readers.contains(transaction)));
  }

  /** Whether it is hidden from everybody but perhaps its writer. */
  boolean isHidden() {
    return reservedBy != null || taker != 0 || writer != 0;
  }

  boolean hasReaders() {
    return readers != null;
  }

  /** The transaction that alone has read it. */
  OptionalLong onlyReader() {
    return readers != null && readers.size() == 1
        ? OptionalLong.of(readers.iterator().next())
        : OptionalLong.empty();
  }

  /** True if the transaction has not read it before. */
  boolean addReader(long transaction) {
    if (readers == null) {
      readers = new LinkedHashSet<>(2);
    }
    return readers.add(transaction);
  }

  void removeReader(long transaction) {
    if (readers != null && readers.remove(transaction) && readers.isEmpty()) {
      readers = null;
    }
  }

  /** One of which only the number is left: its bucket has it no more. */
  static Stored gone(Long number, Bucket bucket) {
    Stored gone = new Stored(number, 0L, null, bucket, 0);
    gone.expired = true;
    return gone;
  }

  void save(StateWriter to) {
    to.count(number);
    to.secret(lease);
    to.number(leaseMillis == Long.MAX_VALUE ? -1 : leaseMillis);
    to.handle(expiry);
    boolean plain = writer == 0 && taker == 0 && reservedBy == null && !expired && readers == null;
    to.flag(plain);
    if (!plain) {
      to.number(writer);
      to.number(taker);
      to.flag(reservedBy != null);
      if (reservedBy != null) {
        to.probe(reservedBy);
      }
      to.flag(expired);
      to.list(readers == null ? List.of() : readers, StateWriter::number);
    }
    to.fields(entry);
  }

  static Stored load(StateReader from, Bucket bucket) {
    Long number = from.count();
    Long lease = from.secret();
    long leaseMillis = from.number();
    Deadlines.Handle expiry = from.handle();
    boolean plain = from.flag();
    long writer = 0;
    long taker = 0;
    ProbeId reservedBy = null;
    boolean expired = false;
    List<Long> readers = List.of();
    if (!plain) {
      writer = from.number();
      taker = from.number();
      reservedBy = from.flag() ? from.probe() : null;
      expired = from.flag();
      readers = from.list(StateReader::number);
    }
    Stored stored = new Stored(number, lease, from.fields(bucket.key().type()), bucket, writer);
    stored.leaseMillis = leaseMillis < 0 ? Long.MAX_VALUE : leaseMillis;
    stored.expiry = expiry;
    stored.taker = taker;
    stored.reservedBy = reservedBy;
    stored.expired = expired;
    readers.forEach(stored::addReader);
    return stored;
  }
}
