package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;

/**
 * What callers of a space hand over: refused in a sentence if it is none of what the specification
 * lets them, and encoded. JavaSpaces' null as a template is anything.
 */
final class Arguments {
  private Arguments() {}

  static Entry requireEntry(Object entry) {
    if (entry == null) {
      throw new NullPointerException("an entry to write is null; only templates may be");
    }
    Entry real = requireTemplate(entry);
    if (real instanceof Snapshot snapshot && snapshot.isAnything()) {
      throw new IllegalArgumentException(
          "a snapshot of null cannot be written; it is a template that matches everything");
    }
    return real;
  }

  static Entry requireTemplate(Object template) {
    if (template != null && !(template instanceof Entry)) {
      throw new IllegalArgumentException(
          template.getClass().getName() + " does not implement net.jini.core.entry.Entry");
    }
    return (Entry) template;
  }

  static long requireLease(Object millis) {
    if (millis == null) {
      throw new NullPointerException("a lease is null; expected milliseconds");
    }
    if (!(millis instanceof Long)) {
      throw new IllegalArgumentException("a lease of " + millis + "; expected a Long");
    }
    return requireLease((long) millis);
  }

  /** JavaSpace05's newer operations also refuse a lease of nothing. */
  static long requirePositiveLease(long millis) {
    if (millis == 0) {
      throw new IllegalArgumentException(
          "a lease of 0 ms; expected more, Lease.ANY or Lease.FOREVER");
    }
    return requireLease(millis);
  }

  /** The milliseconds of a lease; what is too long for them is {@link Lease#FOREVER}. */
  static long millis(Duration lease) {
    Objects.requireNonNull(lease, "the lease of a transaction is null; expected a duration");
    if (lease.isNegative()) {
      throw new IllegalArgumentException("a lease of " + lease + "; expected 0 or more");
    }
    try {
      return lease.toMillis();
    } catch (ArithmeticException e) {
      return Lease.FOREVER;
    }
  }

  static long requireLease(long millis) {
    if (millis < 0 && millis != Lease.ANY) {
      throw new IllegalArgumentException(
          "a lease of " + millis + " ms; expected 0 or more, Lease.ANY or Lease.FOREVER");
    }
    return millis;
  }

  static void requireMost(long entries) {
    if (entries < 1) {
      throw new IllegalArgumentException("at most " + entries + " entries; expected 1 or more");
    }
  }

  static void requireTimeout(long millis) {
    if (millis < 0) {
      throw new IllegalArgumentException(
          "a time-out of " + millis + " ms; expected NO_WAIT (0) or more");
    }
  }

  static EncodedEntry encode(Entry entry) {
    return entry instanceof Snapshot snapshot ? snapshot.encoded() : EntryCodec.encode(entry);
  }

  static List<EncodedEntry> encodeAll(Collection<?> templates) {
    Objects.requireNonNull(
        templates, "the collection of templates is null; one of null matches all");
    if (templates.isEmpty()) {
      throw new IllegalArgumentException("no templates; expected at least one, null matches all");
    }
    List<EncodedEntry> encoded = new ArrayList<>(templates.size());
    for (Object template : templates) {
      encoded.add(encode(requireTemplate(template)));
    }
    return encoded;
  }

  /** Where the classes of what templates match are looked up: theirs, then the thread's context. */
  static ClassLoader classesOf(Collection<?> templates) {
    return ProgramClasses.of(
        templates.stream()
            .map(template -> loaderOf((Entry) template))
            .flatMap(Optional::stream)
            .toList());
  }

  static ClassLoader classesOf(Entry template) {
    return ProgramClasses.of(loaderOf(template).map(List::of).orElse(List.of()));
  }

  private static Optional<ClassLoader> loaderOf(Entry template) {
    if (template instanceof Snapshot snapshot) {
      return Optional.of(snapshot.classes());
    }
    return template == null
        ? Optional.empty()
        : Optional.ofNullable(template.getClass().getClassLoader());
  }
}
