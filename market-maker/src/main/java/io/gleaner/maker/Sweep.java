package io.gleaner.maker;

import io.gleaner.bag.OpenBags;
import io.gleaner.book.Offer;
import io.gleaner.book.WaitingBag;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.SignerEntry;
import io.gleaner.tuple.StatusEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that lies in the space of interest to the market at one moment. Events are only hints
 * (D7), so each round begins with one.
 *
 * @param attempts ids of contracts under which a task runs
 */
record Sweep(
    List<Offer> offers,
    List<WaitingBag> bags,
    List<ContractEntry> contracts,
    Set<String> attempts,
    List<StatusEntry> statuses) {

  static Sweep of(Tuples tuples, OpenBags openBags, Telling telling, Versions versions) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (OfferEntry entry : tuples.all(OfferEntry.class, new OfferEntry())) {
      telling.offer(entry).ifPresent(offer -> offers.put(offer.launcherId(), offer));
    }
    telling.refused(offers.values());
    SignerEntry revoked = new SignerEntry();
    revoked.revoked = true;
    telling.revoked(tuples.all(SignerEntry.class, revoked));
    Map<String, WaitingBag> bags = bags(tuples, openBags, telling);
    Set<String> names = new HashSet<>();
    offers.keySet().forEach(id -> names.add(Telling.offerName(id)));
    bags.keySet().forEach(id -> names.add(Telling.bagName(id)));
    versions.retain(names);

    Set<String> attempts = new HashSet<>();
    for (AttemptEntry entry : tuples.all(AttemptEntry.class, new AttemptEntry())) {
      attempts.add(entry.contractId);
    }
    return new Sweep(
        List.copyOf(offers.values()),
        List.copyOf(bags.values()),
        tuples.all(ContractEntry.class, new ContractEntry()),
        attempts,
        tuples.all(StatusEntry.class, new StatusEntry()));
  }

  private static Map<String, WaitingBag> bags(Tuples tuples, OpenBags openBags, Telling telling) {
    Map<String, JobEntry> open = new HashMap<>();
    JobEntry template = new JobEntry();
    template.state = JobState.OPEN;
    tuples.all(JobEntry.class, template).forEach(job -> open.put(job.jobId, job));
    Map<String, WaitingBag> bags = new LinkedHashMap<>();
    for (BidEntry bid : tuples.all(BidEntry.class, new BidEntry())) {
      JobEntry job = open.get(bid.jobId);
      if (job != null) {
        Optional<OpenBags.Counters> counters = openBags.counters(bid.jobId);
        counters
            .flatMap(c -> telling.bag(bid, job, c))
            .ifPresent(bag -> bags.put(bag.jobId(), bag));
      }
    }
    return bags;
  }
}
