package io.gleaner.maker;

import io.gleaner.bag.OpenBags;
import io.gleaner.book.Action;
import io.gleaner.book.Action.Award;
import io.gleaner.book.Action.Prolong;
import io.gleaner.book.Action.Publish;
import io.gleaner.book.Action.Release;
import io.gleaner.book.Book;
import io.gleaner.book.Offer;
import io.gleaner.book.Plan;
import io.gleaner.book.Rule;
import io.gleaner.book.WaitingBag;
import io.gleaner.leasing.Ticker;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.PriceEntry;
import io.gleaner.verification.Contracts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns plans into tuples. Used by the market-maker's thread only.
 *
 * <p>Every change is made in a transaction that holds the office, and memory follows only what was
 * committed. What ends is committed before what begins.
 */
final class PlanDriver {
  private static final Logger LOG = LoggerFactory.getLogger(PlanDriver.class);

  /** Changes in one transaction. */
  private static final int BATCH = 500;

  private final Tuples tuples;
  private final Office office;
  private final ContractsInForce contracts;
  private final Agreements agreements;
  private final Telling telling;
  private final OpenBags bags;
  private final MakerSettings settings;
  private final Ticker ticker;
  private final Duration transactionLease;

  /** What was published last, and when; the same is published again before its lease ends. */
  private Optional<Publish> published = Optional.empty();

  private long publishedNanos;

  /** What the contracts of the transaction under way say about pay. */
  private final List<Contracts.Terms> agreed = new ArrayList<>();

  PlanDriver(
      Tuples tuples,
      Office office,
      ContractsInForce contracts,
      Agreements agreements,
      Telling telling,
      OpenBags bags,
      MakerSettings settings,
      Ticker ticker) {
    this.tuples = tuples;
    this.office = office;
    this.contracts = contracts;
    this.agreements = agreements;
    this.telling = telling;
    this.bags = bags;
    this.settings = settings;
    this.ticker = ticker;
    this.transactionLease = settings.leaderTerm().dividedBy(3);
  }

  /** A change to the space; answers what follows from it in memory once it is committed. */
  private interface Change {
    Runnable make(Transaction transaction);
  }

  private void commit(List<Change> changes) {
    for (int from = 0; from < changes.size(); from += BATCH) {
      List<Change> batch = changes.subList(from, Math.min(changes.size(), from + BATCH));
      List<Runnable> effects =
          tuples.inTransaction(
              transactionLease,
              transaction -> {
                office.lock(transaction);
                agreed.clear();
                List<Runnable> after = new ArrayList<>();
                batch.forEach(change -> after.add(change.make(transaction)));
                agreements.put(agreed);
                return after;
              });
      effects.forEach(Runnable::run);
    }
  }

  /** Writes contracts that a predecessor left, or that are not as remembered, as its own. */
  void adopt(List<ContractEntry> strange) {
    commit(strange.stream().map(this::adoption).toList());
  }

  private Change adoption(ContractEntry entry) {
    return transaction -> {
      Optional<ContractEntry> old = tuples.take(ContractEntry.class, idOf(entry), transaction);
      if (old.isEmpty()) {
        return () -> contracts.remove(entry.contractId);
      }
      ContractEntry own = copy(old.get(), old.get().slots);
      Lease lease = tuples.write(own, transaction, settings.contractTerm());
      ContractState state = own.slots > 0 ? ContractState.OFFERED : ContractState.DRAINING;
      return () -> contracts.put(new ContractInForce(own, lease, state, ticker.nanos()));
    };
  }

  /** Takes contracts out of the space whose last task has ended. */
  void closeDrained() {
    commit(
        contracts.drained(settings.drain(), ticker.nanos()).stream()
            .map(c -> closing(c, ContractState.Event.LAST_ATTEMPT_ENDED))
            .toList());
  }

  private Change closing(ContractInForce contract, ContractState.Event event) {
    return transaction -> {
      tuples.take(ContractEntry.class, idOf(contract.entry()), transaction);
      return () -> {
        contract.on(event, ticker.nanos());
        contracts.remove(contract.entry().contractId);
        LOG.info("contract {} is closed: {}", contract.entry().contractId, event);
      };
    };
  }

  /**
   * Carries the plan out.
   *
   * @return how many awards were left out because the world has changed since
   */
  int carryOut(Plan plan, Book book, long round, Instant now) {
    List<Change> changes = new ArrayList<>(releases(plan));
    for (Prolong prolong : plan.actions(Prolong.class)) {
      contracts
          .find(prolong.contractId())
          .ifPresent(c -> c.on(ContractState.Event.WON_AGAIN, ticker.nanos()));
    }
    int[] leftOut = new int[1];
    int number = 0;
    for (Award award : plan.actions(Award.class)) {
      String id = "c" + office.epoch() + "-" + round + "-" + number++;
      String owner = book.offer(award.launcherId()).orElseThrow().owner();
      changes.add(transaction -> award(award, id, owner, round, leftOut, transaction));
    }
    for (Publish publish : plan.actions(Publish.class)) {
      if (isNews(publish)) {
        changes.add(transaction -> publish(publish, plan.mechanism(), round, now, transaction));
      }
    }
    commit(changes);
    return leftOut[0];
  }

  private List<Change> releases(Plan plan) {
    Map<String, Release> merged = new LinkedHashMap<>();
    for (Release release : plan.actions(Release.class)) {
      merged.merge(
          release.contractId(),
          release,
          (a, b) -> new Release(a.contractId(), a.slots() + b.slots(), b.reason()));
    }
    List<Change> changes = new ArrayList<>();
    for (Release release : merged.values()) {
      contracts.find(release.contractId()).ifPresent(c -> changes.add(release(release, c)));
    }
    return changes;
  }

  private Change release(Release release, ContractInForce contract) {
    int slots = Math.max(0, contract.entry().slots - release.slots());
    ContractState.Event event = eventOf(release.reason().rule());
    if (slots == 0
        && ContractState.TRANSITIONS.require(contract.state(), event) == ContractState.CLOSED) {
      return closing(contract, event);
    }
    return transaction -> {
      ContractEntry next = copy(contract.entry(), slots);
      if (tuples.take(ContractEntry.class, idOf(next), transaction).isEmpty()) {
        return () -> contracts.remove(next.contractId);
      }
      Lease lease = tuples.write(next, transaction, settings.contractTerm());
      return () -> {
        ContractInForce rewritten = contract.rewritten(next, lease, ticker.nanos());
        if (slots == 0) {
          rewritten.on(event, ticker.nanos());
        }
        contracts.put(rewritten);
        LOG.info(
            "contract {} goes down to {} slots: {}",
            next.contractId,
            slots,
            release.reason().rule());
      };
    };
  }

  private static ContractState.Event eventOf(Rule rule) {
    return switch (rule) {
      case BAG_ENDED -> ContractState.Event.BAG_ENDED;
      case OFFER_GONE -> ContractState.Event.OFFER_GONE;
      default -> ContractState.Event.RELEASED;
    };
  }

  private Runnable award(
      Award award,
      String contractId,
      String owner,
      long round,
      int[] leftOut,
      Transaction transaction) {
    if (!holds(award, transaction)) {
      LOG.info(
          "award of {} to {} left out: offer, bag or money changed since",
          award.launcherId(),
          award.jobId());
      leftOut[0]++;
      return () -> {};
    }
    ContractEntry entry = new ContractEntry();
    entry.contractId = contractId;
    entry.launcherId = award.launcherId();
    entry.jobId = award.jobId();
    entry.slots = award.slots();
    entry.microsPerUnit = award.microsPerUnit();
    entry.epoch = office.epoch();
    entry.round = round;
    agreed.add(agreement(entry, owner));
    Lease lease = tuples.write(entry, transaction, settings.contractTerm());
    return () -> {
      contracts.put(new ContractInForce(entry, lease, ContractState.OFFERED, ticker.nanos()));
      LOG.info(
          "contract {}: launcher {} serves bag {} with {} slots",
          contractId,
          entry.launcherId,
          entry.jobId,
          entry.slots);
    };
  }

  /** Reads offer and bag in the transaction, so that they still stand when it commits. */
  private boolean holds(Award award, Transaction transaction) {
    Action.Precondition precondition = award.precondition();
    OfferEntry offer = OfferEntry.ofLauncher(award.launcherId());
    Optional<Offer> offered =
        tuples.read(OfferEntry.class, offer, transaction).flatMap(telling::offer);
    JobEntry open = JobEntry.ofJob(award.jobId());
    open.state = JobState.OPEN;
    Optional<JobEntry> job = tuples.read(JobEntry.class, open, transaction);
    Optional<BidEntry> bid =
        tuples.read(BidEntry.class, BidEntry.ofJob(award.jobId()), transaction);
    Optional<OpenBags.Counters> counters = bags.counters(award.jobId());
    if (offered.isEmpty() || job.isEmpty() || bid.isEmpty() || counters.isEmpty()) {
      return false;
    }
    Optional<WaitingBag> bag = telling.bag(bid.get(), job.get(), counters.get());
    return offered.get().version() == precondition.slotVersion()
        && bag.isPresent()
        && bag.get().version() == precondition.bagVersion()
        && bag.get().freeMicros() >= precondition.freeMicros();
  }

  private boolean isNews(Publish publish) {
    return !Optional.of(publish).equals(published)
        || ticker.nanos() - publishedNanos >= settings.contractTerm().toNanos() / 3;
  }

  private Runnable publish(
      Publish publish, String mechanism, long round, Instant now, Transaction transaction) {
    PriceEntry entry = new PriceEntry();
    entry.round = round;
    entry.epoch = office.epoch();
    entry.mechanism = mechanism;
    publish.microsPerUnit().ifPresent(price -> entry.microsPerUnit = price);
    entry.slotsOffered = publish.slotsOffered();
    entry.slotsWanted = publish.slotsWanted();
    entry.slotsTraded = publish.slotsTraded();
    entry.atMillis = now.toEpochMilli();
    tuples.write(entry, transaction, settings.contractTerm());
    return () -> {
      published = Optional.of(publish);
      publishedNanos = ticker.nanos();
    };
  }

  private ContractEntry copy(ContractEntry entry, int slots) {
    ContractEntry next = idOf(entry);
    next.jobId = entry.jobId;
    next.slots = slots;
    next.microsPerUnit = entry.microsPerUnit;
    next.epoch = office.epoch();
    next.round = entry.round;
    return next;
  }

  private static ContractEntry idOf(ContractEntry entry) {
    ContractEntry template = ContractEntry.ofLauncher(entry.launcherId);
    template.contractId = entry.contractId;
    return template;
  }

  private static Contracts.Terms agreement(ContractEntry entry, String owner) {
    return new Contracts.Terms(
        entry.contractId, entry.launcherId, owner, entry.jobId, entry.microsPerUnit);
  }
}
