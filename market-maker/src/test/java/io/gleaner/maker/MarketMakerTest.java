package io.gleaner.maker;

import static io.gleaner.maker.MarketFloor.awaitsOffice;
import static io.gleaner.maker.MarketFloor.ends;
import static io.gleaner.maker.MarketFloor.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gleaner.bag.TestSpace;
import io.gleaner.ledger.LedgerSettings;
import io.gleaner.ledger.SqlLedger;
import io.gleaner.signing.Digests;
import io.gleaner.space.TupleSpace;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tuple.ContractEntry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class MarketMakerTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path folder;
  private Database database;
  private SqlLedger ledger;
  private TestSpace node;
  private TupleSpace space;
  private MarketFloor floor;

  @BeforeEach
  void open() {
    database = Database.open(StorageSettings.in(folder));
    ledger =
        new SqlLedger(database.dataSource(), InstantSource.system(), LedgerSettings.defaults());
    node = TestSpace.open();
    space = node.client();
    floor = new MarketFloor(space, ledger, database.dataSource());
  }

  @AfterEach
  void close() {
    floor.close();
    node.close();
    database.close();
  }

  @Test
  void offersAndBidsBecomeContractsAtOnePrice() {
    floor.offers("l1", 2, 2, LONG);
    floor.offers("l2", 1, 4, LONG);
    floor.bids("b1", "ann", 2, 10);
    floor.bids("b2", "ben", 1, 8);
    MarketMaker maker = floor.maker(quick("one"));

    floor.awaitsSlots("b1", 2);
    floor.awaitsSlots("b2", 1);
    assertThat(floor.contracts())
        .allSatisfy(
            contract -> {
              assertThat(contract.microsPerUnit).isEqualTo(6_000_000);
              assertThat(contract.epoch).isEqualTo(maker.epoch());
              assertThat(maker.contracts().find(contract.contractId))
                  .hasValueSatisfying(
                      terms -> {
                        assertThat(terms.owner()).isEqualTo("owner-" + contract.launcherId);
                        assertThat(terms.microsPerUnit()).isEqualTo(6_000_000);
                      });
            });
    await().until(() -> maker.view().clearing().slotsTraded() == 3);
    assertThat(maker.view().clearing().microsPerUnit()).hasValue(6_000_000);
    assertThat(maker.view().launchers()).hasSize(2);
  }

  @Test
  void aBidThatComesLaterIsServedSoonAndABagThatWaitsLearnsWhy() {
    MarketMaker maker = floor.maker(quick("one"));
    awaitsOffice(maker);
    floor.offers("l1", 1, 2, LONG);
    floor.bids("b1", "ann", 5, 10);
    floor.awaitsSlots("b1", 1);
    floor.bids("b2", "ben", 5, 9);

    await().until(() -> maker.view().explain("b2").isPresent());
    assertThat(maker.view().explain("b2"))
        .hasValueSatisfying(why -> assertThat(why).contains("under contract").contains("2 of 2"));
    assertThat(maker.view().explain("b1"))
        .hasValueSatisfying(what -> assertThat(what).startsWith("Has 1 slots"));
    assertThat(maker.view().explain("unheard-of")).isEmpty();
    assertThat(maker.view().explainLauncher("l1"))
        .hasValueSatisfying(what -> assertThat(what).contains("1 of 1 slots"));
  }

  @Test
  void aContractEndsWithItsOfferAndDrainsWhileItsLastTaskRuns() {
    floor.maker(quick("one"));
    Lease idle = floor.offers("idle", 1, 1, LONG);
    Lease busy = floor.offers("busy", 1, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 2);
    ContractEntry ofBusy =
        floor.contracts("b1").stream()
            .filter(contract -> contract.launcherId.equals("busy"))
            .findFirst()
            .orElseThrow();
    Lease attempt = floor.runs(ofBusy);
    await().until(() -> floor.contracts().size() == 2);
    ends(idle);
    await().until(() -> floor.contracts().size() == 1);
    ends(busy);
    floor.awaitsSlots("b1", 0);
    assertThat(floor.contracts()).hasSize(1);
    ends(attempt);
    await().until(() -> floor.contracts().isEmpty());
  }

  @Test
  void aSuspendedLauncherHasNoContractsAndOthersGoOn() {
    MarketMaker maker = floor.maker(quick("one"));
    floor.offers("honest", 1, 1, LONG);
    floor.offers("mallory", 3, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 4);
    maker.suspend("mallory");

    await().until(() -> floor.contracts().size() == 1);
    floor.awaitsSlots("b1", 1);
    assertThat(floor.contracts()).allMatch(contract -> contract.launcherId.equals("honest"));
    assertThat(floor.notices())
        .hasSize(1)
        .allSatisfy(
            notice -> {
              assertThat(notice.launcherId).isEqualTo("mallory");
              assertThat(notice.reason).contains("refused again and again");
              assertThat(notice.untilMillis).isPositive();
            });
  }

  @Test
  void aCancelledBagLosesItsContractsAtOnce() {
    floor.maker(quick("one"));
    floor.offers("l1", 3, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 3);
    floor.cancels("b1");

    await().until(() -> floor.contracts().isEmpty());
  }

  @Test
  @Tag("S1")
  void whatWasRevokedHasNoSlotsAndStandsInNobodysWay() {
    String key = "a".repeat(64);
    MarketMaker maker = floor.maker(quick("one"));
    floor.offers("l1", 2, 1, LONG);
    floor.bids("signed", key, "signed by a key", 9, 10);
    floor.awaitsSlots("signed", 2);
    floor.bids("program", "b".repeat(64), "a program", 9, 9);
    floor.bids("last", "ben", 9, 8);

    floor.revokes(key);
    floor.awaitsSlots("signed", 0);
    floor.awaitsSlots("program", 2);
    assertThat(maker.view().explain("signed"))
        .hasValueSatisfying(why -> assertThat(why).contains("was revoked"));
    maker.economy(Economy.FAIR_SHARE);
    floor.revokes(Digests.sha256Hex("a program"));
    floor.awaitsSlots("program", 0);
    floor.awaitsSlots("last", 2);
    assertThat(floor.contracts("signed")).isEmpty();
  }

  @Test
  @Tag("S1")
  void whatALauncherRefusesToRunTakesNoneOfItsSlots() {
    String key = "a".repeat(64);
    MarketMaker maker = floor.maker(quick("one"));
    Lease trusting = floor.offers("l1", 2, 1, LONG);
    floor.bids("old", key, "version 1", 9, 10);
    floor.bids("other", "ben", 9, 8);
    floor.awaitsSlots("old", 2);

    floor.offers("l1", 2, 1, LONG, List.of("version 1"));
    MarketFloor.ends(trusting);
    floor.awaitsSlots("other", 2);
    assertThat(floor.contracts("old")).isEmpty();
    assertThat(maker.view().explain("old"))
        .hasValueSatisfying(why -> assertThat(why).contains("may be older"));
    maker.economy(Economy.FAIR_SHARE);
    floor.offers("l2", 1, 1, LONG);
    floor.awaitsSlots("old", 1);
    floor.awaitsSlots("other", 2);
  }

  @Test
  void aBagNeverHasMoreSlotsThanTasksLeft() {
    floor.maker(quick("one"));
    floor.offers("l1", 4, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 4);
    floor.remain("b1", 1);
    floor.awaitsSlots("b1", 1);
    floor.remain("b1", 0);
    floor.awaitsSlots("b1", 0);
  }

  @Test
  void contractsOutliveTheirTermWhileTheMakerLives() {
    MarketMaker maker = floor.maker(quick("one"));
    floor.offers("l1", 1, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 1);
    String first = floor.contracts("b1").get(0).contractId;
    long round = maker.view().clearing().round();

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> maker.view().clearing().round() > round + 25);
    assertThat(floor.contracts("b1"))
        .extracting(contract -> contract.contractId)
        .containsExactly(first);
  }

  @Test
  void theEconomyIsSwitchedWhileItRuns() {
    MakerSettings quick = quick("one");
    MarketMaker maker = floor.maker(quick.with(Economy.FAIR_SHARE, quick.terms(), quick.quantum()));
    floor.offers("l1", 4, 5, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.bids("b2", "ben", 9, 1);
    floor.awaitsSlots("b1", 2);
    floor.awaitsSlots("b2", 2);
    assertThat(floor.contracts()).allSatisfy(c -> assertThat(c.microsPerUnit).isZero());

    maker.economy(Economy.MARKET);
    await().until(() -> maker.view().clearing().economy().equals("market"));
    assertThat(maker.view().clearing().mechanism()).isEqualTo("call-market");
  }

  @Test
  void whenTheMakerLeavesAnotherTakesOverItsContracts() {
    MarketMaker first = floor.maker(quick("first"));
    awaitsOffice(first);
    MarketMaker second = floor.maker(quick("second"));
    floor.offers("l1", 1, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 1);
    String contract = floor.contracts("b1").get(0).contractId;
    assertThat(second.epoch()).isZero();
    long before = first.epoch();
    first.close();
    awaitsOffice(second);

    assertThat(second.epoch()).isEqualTo(before + 1);
    assertThat(ledger.epoch()).isEqualTo(before + 1);
    await().until(() -> floor.contracts().stream().allMatch(c -> c.epoch == before + 1));
    assertThat(floor.contracts("b1")).extracting(c -> c.contractId).containsExactly(contract);
    assertThat(second.contracts().find(contract).orElseThrow().owner()).isEqualTo("owner-l1");
  }

  @Test
  void aMakerThatFreezesIsReplacedAndCanDoNothingWhenItWakes() {
    AtomicReference<CountDownLatch> ice = new AtomicReference<>(new CountDownLatch(0));
    MarketMaker frozen = floor.maker(quick("frozen"), through(ice));
    awaitsOffice(frozen);
    long before = frozen.epoch();
    ice.set(new CountDownLatch(1));
    MarketMaker second = floor.maker(quick("second"));
    awaitsOffice(second);
    floor.offers("l1", 2, 1, LONG);
    floor.bids("b1", "ann", 9, 10);
    floor.awaitsSlots("b1", 2);
    ice.get().countDown();

    await().until(() -> frozen.epoch() == 0);
    assertThat(second.epoch()).isEqualTo(before + 1);
    long round = second.view().clearing().round();
    await().until(() -> second.view().clearing().round() > round + 5);
    assertThat(second.epoch()).isEqualTo(before + 1);
    assertThat(floor.contracts()).allSatisfy(c -> assertThat(c.epoch).isEqualTo(before + 1));
    assertThat(floor.contracts("b1").stream().mapToInt(c -> c.slots).sum()).isEqualTo(2);
  }

  /** The space, but every operation waits until the ice has melted. */
  private TupleSpace through(AtomicReference<CountDownLatch> ice) {
    return (TupleSpace)
        Proxy.newProxyInstance(
            TupleSpace.class.getClassLoader(),
            new Class<?>[] {TupleSpace.class},
            (proxy, method, arguments) -> {
              ice.get().await();
              try {
                return method.invoke(space, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
