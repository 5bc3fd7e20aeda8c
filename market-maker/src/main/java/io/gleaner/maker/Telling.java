package io.gleaner.maker;

import io.gleaner.bag.OpenBags;
import io.gleaner.book.Offer;
import io.gleaner.book.Requirements;
import io.gleaner.book.WaitingBag;
import io.gleaner.signing.Digests;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.SignerEntry;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns tuples that anybody may have written into what the book accepts; what makes no sense is
 * left out. Used by the market-maker's thread only.
 */
final class Telling {
  private static final Logger LOG = LoggerFactory.getLogger(Telling.class);

  /** Programs that one launcher refuses, and that all together do. */
  private static final int MOST_REFUSED = 64;

  private static final int MOST_REFUSED_OF_ALL = 1024;

  /** More slots than any desktop has. */
  private static final int MOST_SLOTS = 1024;

  private final Versions versions;
  private Set<String> revoked = Set.of();
  private Set<String> refused = Set.of();

  Telling(Versions versions) {
    this.versions = versions;
  }

  /** Signers and signed programs of which nothing may run; holds for what is told from now on. */
  void revoked(List<SignerEntry> told) {
    revoked = words(told.stream().map(entry -> entry.subject).toList());
  }

  /** Programs that somebody refuses to run matter to a bag; holds for what is told from now on. */
  void refused(Collection<Offer> offers) {
    refused =
        offers.stream()
            .flatMap(offer -> offer.refused().stream())
            .distinct()
            .limit(MOST_REFUSED_OF_ALL)
            .collect(Collectors.toUnmodifiableSet());
  }

  private String programOf(JobEntry job) {
    String program =
        refused.isEmpty() || job.manifest == null ? "" : Digests.sha256Hex(job.manifest);
    return refused.contains(program) ? program : "";
  }

  private boolean isRevoked(JobEntry job) {
    return !revoked.isEmpty()
        && (revoked.contains(job.signer)
            || (job.manifest != null && revoked.contains(Digests.sha256Hex(job.manifest))));
  }

  static String offerName(String launcherId) {
    return "offer/" + launcherId;
  }

  static String bagName(String jobId) {
    return "bag/" + jobId;
  }

  Optional<Offer> offer(OfferEntry told) {
    if (told.launcherId == null
        || told.owner == null
        || told.slots == null
        || told.slots < 1
        || told.slots > MOST_SLOTS
        || told.microUnitsPerSecond == null
        || told.microUnitsPerSecond < 1
        || told.kinds == null) {
      LOG.warn("offer of launcher {} left out: a field is missing or absurd", told.launcherId);
      return Optional.empty();
    }
    Offer offer =
        new Offer(
            told.launcherId,
            told.owner,
            told.site == null ? told.owner : told.site,
            told.slots,
            told.microUnitsPerSecond,
            told.memoryMegabytes == null ? 0 : told.memoryMegabytes,
            words(told.kinds),
            words(told.labels),
            words(told.signers),
            few(told.refused),
            told.reserveMicrosPerUnit == null ? 0 : Math.max(0, told.reserveMicrosPerUnit),
            0);
    return Optional.of(withVersion(offer, versions.of(offerName(told.launcherId), offer)));
  }

  private static Offer withVersion(Offer offer, long version) {
    return new Offer(
        offer.launcherId(),
        offer.owner(),
        offer.site(),
        offer.slots(),
        offer.microUnitsPerSecond(),
        offer.memoryMegabytes(),
        offer.kinds(),
        offer.labels(),
        offer.signers(),
        offer.refused(),
        offer.reserveMicrosPerUnit(),
        version);
  }

  /** What of a bid and its job matters to a version; counters change too often to. */
  private record Terms(
      String owner,
      Requirements requirements,
      long microsPerUnit,
      long microsPerTask,
      Instant submitted,
      Instant deadline,
      boolean revoked,
      long estimateMicroUnits) {}

  Optional<WaitingBag> bag(BidEntry bid, JobEntry job, OpenBags.Counters counters) {
    if (bid.owner == null
        || bid.microsPerUnit == null
        || bid.microsPerUnit < 0
        || bid.estimateMicroUnits == null
        || bid.estimateMicroUnits < 1
        || bid.submittedMillis == null
        || job.kind == null) {
      LOG.warn("bid of bag {} left out: a field is missing or absurd", bid.jobId);
      return Optional.empty();
    }
    int memory = job.memoryMegabytes == null ? 0 : job.memoryMegabytes;
    Terms terms =
        new Terms(
            bid.owner,
            new Requirements(
                job.kind.name(),
                memory,
                words(job.runOn),
                job.signer == null ? "" : job.signer,
                programOf(job)),
            bid.microsPerUnit,
            bid.microsPerTask == null ? Long.MAX_VALUE : Math.max(0, bid.microsPerTask),
            instant(bid.submittedMillis),
            bid.deadlineMillis == null ? Instant.MAX : instant(bid.deadlineMillis),
            isRevoked(job),
            bid.estimateMicroUnits);
    long copies = job.replication == null ? 1 : Math.max(1, job.replication);
    long remaining = Math.max(0, counters.remainingTasks()) * copies;
    return Optional.of(
        new WaitingBag(
            bid.jobId,
            terms.owner(),
            terms.requirements(),
            terms.microsPerUnit(),
            terms.microsPerTask(),
            terms.submitted(),
            terms.deadline(),
            terms.revoked(),
            terms.estimateMicroUnits(),
            (int) Math.min(Integer.MAX_VALUE, remaining),
            counters.freeMicros(),
            versions.of(bagName(bid.jobId), terms)));
  }

  private static Instant instant(long millis) {
    try {
      return Instant.ofEpochMilli(millis);
    } catch (DateTimeException e) {
      LOG.debug("a time out of every range was told: {}", millis, e);
      return Instant.MAX;
    }
  }

  private static Set<String> few(List<String> told) {
    return told == null ? Set.of() : words(told.stream().limit(MOST_REFUSED).toList());
  }

  private static Set<String> words(List<String> told) {
    Set<String> words = new HashSet<>();
    if (told != null) {
      told.stream().filter(word -> word != null).forEach(words::add);
    }
    return words;
  }
}
