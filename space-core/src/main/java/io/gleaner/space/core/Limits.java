package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import java.util.List;

/**
 * What one command or one user may have at most. A space belongs to the user that its name begins
 * with, as in {@code user/name}; one without a slash to nobody else.
 *
 * @param entryBytes bytes of all fields of an entry or template
 * @param batchEntries entries of one write, and of one answer
 * @param batchBytes bytes of all entries of one write
 * @param templates templates of one command
 * @param types entry classes of all spaces of a user, with those that are only asked for
 * @param spaces spaces of a user
 * @param typeBytes what the descriptions of the classes of a user take in all cells that know them
 * @param leases the longest leases
 * @param receiptMillis how long what a take had waited for is reserved for its client, which has to
 *     acknowledge it
 */
public record Limits(
    long entryBytes,
    int batchEntries,
    long batchBytes,
    int templates,
    int types,
    int spaces,
    long typeBytes,
    LeaseCaps leases,
    long receiptMillis) {

  /** Fields of an entry class: posting lists name a set of fields by the bits of a long. */
  public static final int FIELDS = 64;

  /** Bytes of entries after which an answer is full; the entry that fills it is still in it. */
  static final long ANSWER_BYTES = 4 << 20;

  /** Whether an answer takes no more. */
  static boolean isFull(List<EncodedEntry> entries, int limit) {
    return entries.size() >= limit
        || entries.stream().mapToLong(EncodedEntry::sizeBytes).sum() >= ANSWER_BYTES;
  }

  /** Characters of the name of a space, a class or a field. */
  public static final int NAME_LENGTH = 512;

  /** Characters that say how to reach a foreign transaction manager. */
  public static final int PROXY_LENGTH = 16_384;

  public static final Limits DEFAULT =
      new Limits(
          1 << 20, 10_000, 16 << 20, 1_000, 2_000, 1_000, 64 << 20, LeaseCaps.DEFAULT, 5_000);

  /** The same with other longest leases. */
  public Limits with(LeaseCaps caps) {
    return new Limits(
        entryBytes,
        batchEntries,
        batchBytes,
        templates,
        types,
        spaces,
        typeBytes,
        caps,
        receiptMillis);
  }

  /** The same with another lease of sessions. */
  public Limits withSessionLeaseMillis(long millis) {
    return with(
        new LeaseCaps(
            leases.entryMillis(), leases.registrationMillis(), leases.transactionMillis(), millis));
  }

  /** The same with another time for receipts. */
  public Limits withReceiptMillis(long millis) {
    return new Limits(
        entryBytes, batchEntries, batchBytes, templates, types, spaces, typeBytes, leases, millis);
  }

  /** The same with other limits of what classes and spaces a user has. */
  public Limits withClasses(int newTypes, int newSpaces, long newTypeBytes) {
    return new Limits(
        entryBytes,
        batchEntries,
        batchBytes,
        templates,
        newTypes,
        newSpaces,
        newTypeBytes,
        leases,
        receiptMillis);
  }

  public Limits {
    if (entryBytes < 1
        || batchEntries < 1
        || batchBytes < 1
        || templates < 1
        || types < 1
        || spaces < 1
        || typeBytes < 1
        || receiptMillis < 1) {
      throw new IllegalArgumentException("every limit of a space is at least 1");
    }
  }
}
