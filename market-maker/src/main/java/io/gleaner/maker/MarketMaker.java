package io.gleaner.maker;

import io.gleaner.bag.OpenBags;
import io.gleaner.book.Action.ClassPrice;
import io.gleaner.book.Action.Publish;
import io.gleaner.book.Book;
import io.gleaner.book.Contract;
import io.gleaner.book.Offer;
import io.gleaner.book.Plan;
import io.gleaner.book.Trigger;
import io.gleaner.fairshare.Equipartition;
import io.gleaner.leasing.Ticker;
import io.gleaner.ledger.Ledger;
import io.gleaner.mechanism.CallMarket;
import io.gleaner.mechanism.Mechanism;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.verification.Contracts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears the market while it is in office and stands by otherwise.
 *
 * <p>One thread of its own does everything: it wakes on hints and at least every second, sweeps the
 * space into a book, asks the mechanism for a plan and carries it out. The public methods are safe
 * for all threads and do not block, except {@link #close}.
 */
public final class MarketMaker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MarketMaker.class);
  private static final Duration CLOSING = Duration.ofSeconds(10);
  private static final int PRICES_REMEMBERED = 100;

  private final MakerSettings settings;
  private final InstantSource clock;
  private final Ticker ticker;
  private final OpenBags bags;
  private final Tuples tuples;
  private final Office office;
  private final Hints hints;
  private final Versions versions = new Versions();
  private final Telling telling = new Telling(versions);
  private final ContractsInForce contracts = new ContractsInForce();
  private final Agreements agreements;
  private final PlanDriver driver;
  private final Board board;
  private final Mechanism callMarket;
  private final Mechanism equipartition = new Equipartition();
  private final Deque<Long> prices = new ArrayDeque<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private final Suspensions suspensions;
  private volatile Economy economy;
  private volatile long epoch;
  private long round;
  private long renewedNanos;
  private long hintsRenewedNanos;

  private MarketMaker(
      TupleSpace space,
      OpenBags bags,
      Ledger ledger,
      DataSource database,
      MakerSettings settings,
      InstantSource clock,
      Ticker ticker) {
    this.settings = settings;
    this.clock = clock;
    this.ticker = ticker;
    this.bags = bags;
    this.economy = settings.economy();
    this.tuples = new Tuples(space);
    this.suspensions = new Suspensions(tuples, ticker);
    this.agreements = new Agreements(database);
    this.office = new Office(tuples, ledger, settings.holder(), settings.leaderTerm());
    this.hints = new Hints(space);
    this.driver =
        new PlanDriver(tuples, office, contracts, agreements, telling, bags, settings, ticker);
    this.board = new Board(economy, settings.history(), clock.instant());
    this.callMarket = new CallMarket(settings.terms());
    this.thread = new Thread(this::run, "market-maker-" + settings.holder());
    this.thread.setDaemon(true);
  }

  /**
   * Starts one; it takes office as soon as nobody else holds it.
   *
   * @param database where agreements are kept, durable at commit; the same for all market-makers
   */
  public static MarketMaker start(
      TupleSpace space,
      OpenBags bags,
      Ledger ledger,
      DataSource database,
      MakerSettings settings,
      InstantSource clock) {
    MarketMaker maker =
        new MarketMaker(space, bags, ledger, database, settings, clock, Ticker.system());
    maker.thread.start();
    return maker;
  }

  /** The last round, for pages and commands. */
  public MarketView view() {
    return board;
  }

  public Economy economy() {
    return economy;
  }

  /** Clears by other rules from the next round on. Contracts keep their price for their quantum. */
  public void economy(Economy next) {
    economy = next;
    hint();
  }

  /** The epoch under which it is in office, 0 while it stands by. */
  public long epoch() {
    return epoch;
  }

  /** What contracts say about pay, for verification; also after they ended. */
  public Contracts contracts() {
    return agreements;
  }

  /**
   * Leaves what the launcher offers out of the market for a while: its results were refused again
   * and again. It is told why and until when. For all threads.
   */
  public void suspend(String launcherId) {
    if (suspensions.begin(launcherId)) {
      hint();
    }
  }

  /** Something changed that the space gives no event for: the next round comes soon. */
  public void hint() {
    hints.give(new Trigger.BidArrived());
  }

  private void run() {
    try {
      Trigger trigger = new Trigger.Tick();
      while (closing.getCount() > 0) {
        attempt(trigger);
        if (closing.await(settings.coalesce().toNanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
        trigger = hints.await(settings.clearEvery());
      }
    } catch (InterruptedException e) {
      LOG.info("market-maker {} was told to stop", settings.holder());
    }
  }

  private void attempt(Trigger trigger) throws InterruptedException {
    try {
      round(trigger);
    } catch (MakerException e) {
      switch (e.code()) {
        case INTERRUPTED -> throw new InterruptedException(e.getMessage());
        case NOT_IN_OFFICE -> stepDown(e);
        case SPACE, STORAGE, INVALID_SETTINGS ->
            LOG.warn("round {} failed, the next one tries again", round, e);
      }
    } catch (RuntimeException e) {
      LOG.error("round {} failed for a reason that should not exist", round, e);
    }
  }

  private void stepDown(MakerException why) {
    LOG.warn("{} steps down: {}", settings.holder(), why.getMessage());
    epoch = 0;
    contracts.clear();
    board.standsBy(clock.instant());
  }

  private void round(Trigger trigger) {
    Instant now = clock.instant();
    if (!office.held()) {
      if (!office.takeIfVacant()) {
        board.standsBy(now);
        return;
      }
      epoch = office.epoch();
      renewedNanos = ticker.nanos();
      hints.renew();
      hintsRenewedNanos = renewedNanos;
    }
    renewLeases();
    Sweep sweep = Sweep.of(tuples, bags, telling, versions);
    List<ContractEntry> strange =
        contracts.believe(sweep.contracts(), sweep.attempts(), ticker.nanos());
    driver.adopt(strange);
    driver.closeDrained();

    suspensions.pass(now);
    List<Offer> offers =
        sweep.offers().stream().filter(offer -> !suspensions.has(offer.launcherId())).toList();
    Book book = new Book(offers, sweep.bags(), contractsTold(now), List.copyOf(prices));
    Economy rules = economy;
    Mechanism mechanism = rules == Economy.MARKET ? callMarket : equipartition;
    Plan plan = mechanism.decide(trigger, book, now);
    round++;
    int leftOut = driver.carryOut(plan, book, round, now);
    rememberPrice(plan);
    board.show(epoch, round, rules, plan, book, contractsTold(now), sweep.statuses(), now);
    if (leftOut > 0) {
      hint();
    }
  }

  private List<Contract> contractsTold(Instant now) {
    return contracts.told(settings.quantum(), now, ticker.nanos());
  }

  private void renewLeases() {
    long nanos = ticker.nanos();
    if (nanos - renewedNanos >= settings.leaderTerm().toNanos() / 3) {
      office.renew();
      renewedNanos = nanos;
      agreements.forget(jobId -> bags.counters(jobId).isPresent());
    }
    if (nanos - hintsRenewedNanos >= Hints.RENEWAL.toNanos()) {
      hintsRenewedNanos = nanos;
      hints.renew();
    }
    contracts.renew(settings.contractTerm(), nanos);
  }

  /** Only what a call found counts: a posted price would confirm itself. */
  private void rememberPrice(Plan plan) {
    plan.actions(Publish.class).stream()
        .flatMap(publish -> publish.prices().stream())
        .filter(price -> !price.posted())
        .reduce((a, b) -> b.slots() > a.slots() ? b : a)
        .map(ClassPrice::microsPerUnit)
        .ifPresent(prices::addLast);
    if (prices.size() > PRICES_REMEMBERED) {
      prices.removeFirst();
    }
  }

  /** Leaves office, so that another takes over at once; contracts in force stay for it. */
  @Override
  public void close() {
    closing.countDown();
    hint();
    try {
      thread.join(CLOSING.toMillis());
      if (thread.isAlive()) {
        LOG.warn("market-maker {} did not end in {}", settings.holder(), CLOSING);
        thread.interrupt();
        return;
      }
      hints.close();
      office.leave();
      epoch = 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (MakerException e) {
      LOG.info("office not left in order, its term will end: {}", e.getMessage());
    }
  }
}
