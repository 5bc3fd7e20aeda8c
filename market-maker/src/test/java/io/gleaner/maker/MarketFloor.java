package io.gleaner.maker;

import static org.awaitility.Awaitility.await;

import io.gleaner.bag.OpenBags;
import io.gleaner.ledger.Ledger;
import io.gleaner.mechanism.CallTerms;
import io.gleaner.mechanism.ThinMarket;
import io.gleaner.signing.Digests;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.NoticeEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.SignerEntry;
import io.gleaner.tuple.TaskKind;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.space.MatchSet;

/** A space, a ledger and market-makers on it; what a test does to them in verbs. */
final class MarketFloor implements AutoCloseable {
  private static final long CREDIT = 1_000_000;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final TupleSpace space;
  private final Ledger ledger;
  private final DataSource database;
  private final Map<String, OpenBags.Counters> counters = new ConcurrentHashMap<>();
  private final List<MarketMaker> makers = new ArrayList<>();

  MarketFloor(TupleSpace space, Ledger ledger, DataSource database) {
    this.space = space;
    this.ledger = ledger;
    this.database = database;
  }

  /** Settings with which a test need not wait long. */
  static MakerSettings quick(String holder) {
    MakerSettings defaults = MakerSettings.defaults(holder);
    return new MakerSettings(
        holder,
        Economy.MARKET,
        CallTerms.defaults().with(ThinMarket.CALL),
        defaults.quantum(),
        Duration.ofMillis(200),
        Duration.ofMillis(10),
        Duration.ofSeconds(2),
        Duration.ofSeconds(3),
        Duration.ofMillis(100),
        100);
  }

  MarketMaker maker(MakerSettings settings) {
    return maker(settings, space);
  }

  /** A market-maker that reaches the space in its own way. */
  MarketMaker maker(MakerSettings settings, TupleSpace through) {
    MarketMaker maker =
        MarketMaker.start(
            through,
            jobId -> Optional.ofNullable(counters.get(jobId)),
            ledger,
            database,
            settings,
            InstantSource.system());
    makers.add(maker);
    return maker;
  }

  /** A launcher offers; its offer lives as long as the lease. */
  Lease offers(String launcher, int slots, long reserve, Duration lease) {
    return offers(launcher, slots, reserve, lease, List.of());
  }

  /** As above; the launcher does not run the programs with these signed manifests. */
  Lease offers(String launcher, int slots, long reserve, Duration lease, List<String> refused) {
    OfferEntry offer = OfferEntry.ofLauncher(launcher);
    offer.owner = "owner-" + launcher;
    offer.site = "lab";
    offer.slots = slots;
    offer.microUnitsPerSecond = CREDIT;
    offer.memoryMegabytes = 1024;
    offer.kinds = List.of("JAVA");
    offer.labels = List.of();
    offer.refused = refused.stream().map(Digests::sha256Hex).toList();
    offer.reserveMicrosPerUnit = reserve * CREDIT;
    return call(() -> space.write(offer, null, lease.toMillis()));
  }

  /** A bag of this user opens and bids. */
  void bids(String job, String user, int tasks, long price) {
    counters.put(job, new OpenBags.Counters(tasks, 1_000 * CREDIT));
    JobEntry open = JobEntry.ofJob(job);
    open.owner = user;
    open.state = JobState.OPEN;
    open.kind = TaskKind.JAVA;
    open.tasks = tasks;
    open.replication = 1;
    open.memoryMegabytes = 256;
    open.runOn = List.of();
    BidEntry bid = BidEntry.ofJob(job);
    bid.owner = user;
    bid.microsPerUnit = price * CREDIT;
    bid.budgetMicros = 1_000 * CREDIT;
    bid.submittedMillis = 1_000L + counters.size();
    bid.estimateMicroUnits = CREDIT;
    call(() -> space.write(open, null, Lease.FOREVER));
    call(() -> space.write(bid, null, Lease.FOREVER));
  }

  /** A bag whose program this key signed opens and bids. */
  void bids(String job, String signer, String manifest, int tasks, long price) {
    bids(job, "user-" + job, tasks, price);
    JobEntry open = call(() -> (JobEntry) space.takeIfExists(JobEntry.ofJob(job), null, 0));
    open.signer = signer;
    open.manifest = manifest.getBytes(StandardCharsets.UTF_8);
    call(() -> space.write(open, null, Lease.FOREVER));
  }

  /** A key, or the digest of a signed program, is revoked. */
  void revokes(String subject) {
    call(() -> space.write(SignerEntry.of(subject, true), null, Lease.FOREVER));
  }

  /** The bag has this many tasks left. */
  void remain(String job, int tasks) {
    counters.put(job, new OpenBags.Counters(tasks, 1_000 * CREDIT));
  }

  /** The bag is cancelled: its job leaves the space. */
  void cancels(String job) {
    counters.remove(job);
    call(() -> space.takeIfExists(JobEntry.ofJob(job), null, 1_000));
    call(() -> space.takeIfExists(BidEntry.ofJob(job), null, 1_000));
  }

  /** A task runs under the contract until the lease is cancelled. */
  Lease runs(ContractEntry contract) {
    AttemptEntry attempt = AttemptEntry.ofJob(contract.jobId);
    attempt.taskIndex = 0;
    attempt.launcherId = contract.launcherId;
    attempt.contractId = contract.contractId;
    return call(() -> space.write(attempt, null, 60_000));
  }

  /** Contracts of the bag that have slots. */
  List<ContractEntry> contracts(String job) {
    return contracts().stream()
        .filter(contract -> contract.jobId.equals(job) && contract.slots > 0)
        .toList();
  }

  List<ContractEntry> contracts() {
    return all(ContractEntry.class, new ContractEntry());
  }

  /** What launchers are told. */
  List<NoticeEntry> notices() {
    return all(NoticeEntry.class, new NoticeEntry());
  }

  private <E extends Entry> List<E> all(Class<E> type, E template) {
    return call(
        () -> {
          MatchSet matches = space.contents(List.of(template), null, 10_000, 1_000);
          List<E> found = new ArrayList<>();
          for (Entry next = matches.next(); next != null; next = matches.next()) {
            found.add(type.cast(next));
          }
          return found;
        });
  }

  /** Waits until the bag has this many slots under contract. */
  void awaitsSlots(String job, int slots) {
    await(job + " has " + slots + " slots")
        .atMost(DEADLINE)
        .until(() -> contracts(job).stream().mapToInt(c -> c.slots).sum() == slots);
  }

  /** Waits until this market-maker is in office. */
  static void awaitsOffice(MarketMaker maker) {
    await("office").atMost(DEADLINE).until(() -> maker.epoch() > 0);
  }

  /** Ends a lease early. */
  static void ends(Lease lease) {
    try {
      lease.cancel();
    } catch (UnknownLeaseException | RemoteException e) {
      throw new AssertionError(e);
    }
  }

  private static <T> T call(Callable<T> operation) {
    try {
      return operation.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    makers.forEach(MarketMaker::close);
  }
}
