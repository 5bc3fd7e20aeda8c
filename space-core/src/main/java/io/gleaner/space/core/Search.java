package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.Postings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which entries of a bucket match: it looks and changes nothing; for one thread. */
final class Search {
  /** So many are looked through faster than they are found. */
  private static final int FEW = 16;

  private final Context context;
  private final Bucket bucket;
  private final EntryType type;
  private final Postings<Stored> free;
  private final Postings<Stored> hidden;

  /** A page, and whether there is more behind it. */
  record Found(List<Stored> entries, boolean more) {
    Message.Listing listing(Message.Page page) {
      long last = entries.isEmpty() ? page.after() : entries.get(entries.size() - 1).number;
      return new Message.Listing(
          page.id(), entries.stream().map(stored -> stored.entry).toList(), last, more);
    }
  }

  Search(Context context, Bucket bucket, Postings<Stored> free, Postings<Stored> hidden) {
    this.context = context;
    this.bucket = bucket;
    this.type = bucket.key().type();
    this.free = free;
    this.hidden = hidden;
  }

  /** What the probe may have, at most as much as it asks for; its own transaction's first. */
  Collection<Stored> find(Message.Probe probe, Participation by) {
    Map<Long, Stored> found = new LinkedHashMap<>(4);
    for (EncodedEntry template : probe.templates()) {
      if (type.canMatch(template.type())) {
        if (by != null) {
          collect(written(by, template), template, probe, by, found);
        }
        collect(free.candidates(template).values(), template, probe, by, found);
      }
    }
    return found.values();
  }

  /** What the transaction wrote that may match, oldest first, and perhaps what others hide. */
  private Collection<Stored> written(Participation by, EncodedEntry template) {
    if (by.written.size() <= FEW) {
      return by.written.values();
    }
    Collection<Stored> candidates = hidden.candidates(template).values();
    return candidates.size() < by.written.size() ? candidates : by.written.values();
  }

  private void collect(
      Collection<Stored> candidates,
      EncodedEntry template,
      Message.Probe probe,
      Participation by,
      Map<Long, Stored> found) {
    long bytes = found.values().stream().mapToLong(s -> s.entry.sizeBytes()).sum();
    for (Stored stored : candidates) {
      if (found.size() >= probe.limit() || bytes >= Limits.ANSWER_BYTES) {
        return;
      }
      if (stored.bucket == bucket
          && isEligible(stored, probe, by)
          && template.matches(stored.entry)
          && found.put(stored.number, stored) == null) {
        bytes += stored.entry.sizeBytes();
      }
    }
  }

  static boolean isEligible(Stored stored, Message.Probe probe, Participation by) {
    long transaction = by == null ? 0 : by.transaction;
    return probe.mode().takes()
        ? stored.isTakeableBy(transaction)
        : stored.isVisibleTo(transaction);
  }

  /** An entry that matches and is locked against the probe, or null. */
  Stored locked(Message.Probe probe) {
    for (EncodedEntry template : probe.templates()) {
      if (type.canMatch(template.type())) {
        Stored match = anyMatch(hidden.candidates(template).values(), template, probe);
        if (match == null && probe.mode().takes()) {
          match = anyMatch(free.candidates(template).values(), template, probe);
        }
        if (match != null) {
          return match;
        }
      }
    }
    return null;
  }

  private static Stored anyMatch(
      Collection<Stored> candidates, EncodedEntry template, Message.Probe probe) {
    for (Stored stored : candidates) {
      boolean ownTake = stored.taker != 0 && stored.taker == probe.transaction();
      if (!ownTake && !stored.expired && template.matches(stored.entry)) {
        return stored;
      }
    }
    return null;
  }

  static boolean matchesAny(Message.Probe probe, Stored stored) {
    return probe.templates().stream().anyMatch(template -> template.matches(stored.entry));
  }

  /** Whether an entry matches that was written by a transaction which is being committed. */
  boolean isBeingCommitted(Message.Probe probe) {
    return context.prepared.stream()
        .filter(p -> p.transaction != probe.transaction())
        .flatMap(p -> p.written.values().stream())
        .anyMatch(
            stored -> stored.bucket == bucket && !stored.expired && matchesAny(probe, stored));
  }

  /** Entries after a number, oldest first, as the transaction sees them if there is one. */
  Found page(Message.Page page, Participation by) {
    TreeMap<Long, Stored> found = new TreeMap<>();
    for (EncodedEntry template : page.templates()) {
      if (type.canMatch(template.type())) {
        if (by != null) {
          written(by, template).stream()
              .filter(s -> s.bucket == bucket && s.number > page.after())
              .filter(s -> s.writer == by.transaction)
              .filter(s -> s.isVisibleTo(by.transaction) && template.matches(s.entry))
              .forEach(s -> found.put(s.number, s));
        }
        free.candidates(template).tailMap(page.after(), false).values().stream()
            .filter(s -> template.matches(s.entry))
            .limit(page.limit() + 1L)
            .forEach(s -> found.put(s.number, s));
      }
    }
    List<Stored> chosen = new ArrayList<>();
    long bytes = 0;
    for (Stored each : found.values()) {
      if (chosen.size() >= page.limit() || bytes >= Limits.ANSWER_BYTES) {
        break;
      }
      chosen.add(each);
      bytes += each.entry.sizeBytes();
    }
    return new Found(chosen, found.size() > chosen.size());
  }
}
