package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.CheckpointEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.LeaderEntry;
import io.gleaner.tuple.NoticeEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.PriceEntry;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.StatusEntry;
import io.gleaner.tuple.TaskEntry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a hostile launcher and a hostile application ask of a real gateway, and are refused. */
@Timeout(120)
@Tag("S3")
class DeviceRightsTest extends WithDevice {
  @Test
  void aBrowserOffersToRunWebAssemblyAndNothingElse() throws Exception {
    try (GatewayConnection tab = gateway.patientTabOf("vera");
        TupleSpace its = tab.space("market")) {
      OfferEntry offer = offer("laptop", "vera");
      for (List<String> kinds : List.of(List.of("JAVA"), List.of("WASM", "JAVA"))) {
        offer.kinds = kinds;
        refused(() -> its.write(offer, null, LONG), "with WASM as its only kind");
      }
      offer.kinds = null;
      refused(() -> its.write(offer, null, LONG), "with WASM as its only kind");
      offer.kinds = List.of("WASM");
      its.write(offer, null, LONG).cancel();
    }
  }

  @Test
  void itOffersNothingInTheNameOfOthers() throws Exception {
    device.write(offer("laptop", "bob"), null, LONG);
    StatusEntry status = StatusEntry.ofLauncher("laptop");
    status.owner = "bob";
    device.write(status, null, LONG).cancel();
    assertThat(device.take(OfferEntry.ofLauncher("laptop"), null, 0)).isNotNull();

    refused(() -> device.write(offer("desktop", "bob"), null, LONG), "launcherId");
    refused(() -> device.write(offer("laptop", "ada"), null, LONG), "owner");
    refused(() -> device.write(offer(null, "bob"), null, LONG), "launcherId");
    refused(() -> device.take(OfferEntry.ofLauncher("desktop"), null, 0), "launcherId");
    refused(
        () ->
            device.write(
                List.of(offer("laptop", "bob"), offer("desktop", "bob")),
                null,
                List.of(LONG, LONG)),
        "launcherId");
    assertThat(market.readIfExists(new OfferEntry(), null, 0)).isNull();
  }

  @Test
  void itWritesNothingThatIsTheMarkets() {
    BidEntry bid = new BidEntry();
    bid.jobId = JOB;
    LeaderEntry leader = new LeaderEntry();
    leader.epoch = 1_000_000L;
    for (Entry entry : List.of(contract("laptop", OTHER), bid, leader, new PriceEntry())) {
      refused(() -> device.write(entry, null, LONG), "nothing allows that");
    }
    refused(() -> device.write(task(JOB, 7, 1), null, LONG), "took exactly this task");
    refused(() -> device.write(JobEntry.ofJob(JOB), null, LONG), "nothing allows that");
    refused(() -> device.take(ContractEntry.ofLauncher("laptop"), null, 0), "nothing allows that");
  }

  @Test
  void itReadsOnlyWhatConcernsIt() throws Exception {
    assertThat(device.read(ContractEntry.ofLauncher("laptop"), null, 0)).isNotNull();
    assertThat(device.read(JobEntry.ofJob(JOB), null, 0)).isNotNull();

    refused(() -> device.read(ContractEntry.ofLauncher("desktop"), null, 0), "launcherId");
    refused(() -> device.read(new ContractEntry(), null, 0), "launcherId");
    refused(() -> device.read(null, null, 0), "nothing allows that");
    refused(() -> device.read(JobEntry.ofJob(OTHER), null, 0), "contract");
    refused(() -> device.readIfExists(new BidEntry(), null, 0), "nothing allows that");
    refused(() -> device.contents(List.of(TaskEntry.ofJob(OTHER)), null, LONG, 10), "contract");
    refused(() -> device.read(ResultEntry.ofJob(JOB), null, 0), "nothing allows that");
    refused(() -> device.read(CheckpointEntry.ofJob(OTHER), null, 0), "contract");
    refused(
        () -> device.notify(new BidEntry(), null, event -> {}, LONG, null), "nothing allows that");
    refused(
        () ->
            device.registerForAvailabilityEvent(
                List.of(ContractEntry.ofLauncher("laptop"), new ContractEntry()),
                null,
                false,
                event -> {},
                LONG,
                null),
        "nothing allows that");
  }

  @Test
  void itReadsWhatItIsToldAndNothingElseOfIt() throws Exception {
    NoticeEntry told = NoticeEntry.ofLauncher("laptop");
    told.reason = "late";
    told.untilMillis = 1L;
    Lease lease = market.write(told, null, LONG);
    assertThat(device.readIfExists(NoticeEntry.ofLauncher("laptop"), null, 0)).isNotNull();

    refused(() -> device.read(NoticeEntry.ofLauncher("desktop"), null, 0), "launcherId");
    refused(() -> device.read(new NoticeEntry(), null, 0), "launcherId");
    refused(() -> device.take(NoticeEntry.ofLauncher("laptop"), null, 0), "nothing allows that");
    refused(() -> device.write(told, null, LONG), "nothing allows that");
    lease.cancel();
  }

  @Test
  void itTakesTasksOfItsContractsOnlyAndInATransaction() throws Exception {
    market.write(task(OTHER, 1, 1), null, LONG);
    market.write(task(JOB, 1, 1), null, LONG);
    Transaction.Created begun = device.begin(Duration.ofMinutes(10));
    refused(() -> device.take(TaskEntry.ofJob(OTHER), begun.transaction, 0), "contract");
    refused(() -> device.take(new TaskEntry(), begun.transaction, 0), "contract");
    refused(() -> device.take(TaskEntry.ofJob(JOB), null, 0), "in a transaction");
    assertThat(device.take(TaskEntry.ofJob(JOB), begun.transaction, 0)).isNotNull();
    begun.transaction.abort();
    assertThat(market.take(TaskEntry.ofJob(JOB), null, LONG)).isNotNull();
    assertThat(market.take(TaskEntry.ofJob(OTHER), null, LONG)).isNotNull();
  }

  @Test
  void whenItsContractHasEndedItTakesNoMore() throws Exception {
    Lease lease = market.write(contract("laptop", "b-brief"), null, LONG);
    market.write(task("b-brief", 1, 1), null, LONG);
    assertThat(device.contents(List.of(ContractEntry.ofLauncher("laptop")), null, LONG, 9).next())
        .isNotNull();
    Transaction.Created begun = device.begin(Duration.ofMinutes(10));
    assertThat(device.contents(List.of(TaskEntry.ofJob("b-brief")), null, LONG, 1).next())
        .isNotNull();
    lease.cancel();
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                refused(
                    () -> device.contents(List.of(TaskEntry.ofJob("b-brief")), null, LONG, 1),
                    "contract"));
    refused(() -> device.take(TaskEntry.ofJob("b-brief"), begun.transaction, 0), "contract");
    begun.transaction.abort();
    market.take(TaskEntry.ofJob("b-brief"), null, LONG);
  }

  @Test
  void nothingWaitsLongerThanAContract() {
    refused(() -> device.read(TaskEntry.ofJob(JOB), null, 10_000), "at most 5000 ms");
    refused(
        () -> device.notify(TaskEntry.ofJob(JOB), null, event -> {}, LONG, null),
        "nothing allows that");
  }

  @Test
  @Tag("S15")
  void itsOffersAreCounted() throws Exception {
    try (GatewayConnection eve = gateway.patientLauncherOf("eve");
        TupleSpace hers = eve.space("market")) {
      List<Entry> offers = Collections.nCopies(500, offer("laptop", "eve"));
      List<Long> leases = Collections.nCopies(500, LONG);
      hers.write(offers, null, leases);
      hers.write(offers, null, leases);
      Command another =
          new Command.Write(
              "market", List.of(EntryCodec.encode(offer("laptop", "eve"))), List.of(LONG), 0);
      Reply.Refused refused = (Reply.Refused) execute(eve, another);
      assertThat(refused.code()).isEqualTo(Reply.Refusal.LIMIT);
      assertThat(refused.message()).contains("1000 entries of OfferEntry");

      OfferEntry all = OfferEntry.ofLauncher("laptop");
      all.owner = "eve";
      for (int left = 1_000; left > 0; ) {
        left -= market.take(List.of(all), null, LONG, left).size();
      }
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> execute(eve, another) instanceof Reply.Written);
      assertThat(market.take(all, null, LONG)).isNotNull();
      Transaction.Created begun = hers.begin(Duration.ofMinutes(1));
      refused(
          () -> hers.write(offer("laptop", "eve"), begun.transaction, LONG),
          "outside of transactions");
      begun.transaction.abort();
    }
  }

  @Test
  @Tag("S15")
  void whatItIsRefusedIsNotLookedUpWithoutEnd() throws Exception {
    try (GatewayConnection mallory = gateway.patientLauncherOf("mallory");
        TupleSpace space = mallory.space("market")) {
      long session = mallory.engine().open("raw", event -> {}).get(60, TimeUnit.SECONDS);
      long begun = numberOf(space.begin(Duration.ofMinutes(1)));
      Reply.Refusal last = Reply.Refusal.FORBIDDEN;
      for (int i = 1; i <= 20_000 && last == Reply.Refusal.FORBIDDEN; i++) {
        CompletableFuture<Reply> strange =
            mallory.engine().execute(session, i, i, write(result(i, 1), begun));
        last = ((Reply.Refused) strange.get(60, TimeUnit.SECONDS)).code();
      }
      assertThat(last).isEqualTo(Reply.Refusal.LIMIT);
      space.write(offer("laptop", "mallory"), null, LONG).cancel();
    }
  }

  @Test
  void itsPresenceEndsWithinAMinute() throws Exception {
    Reply.Written written = (Reply.Written) execute(write(offer("laptop", "bob"), 0));
    assertThat(written.leases().get(0).millis()).isLessThanOrEqualTo(60_000);
    assertThat(market.take(OfferEntry.ofLauncher("laptop"), null, LONG)).isNotNull();
  }

  @Test
  void aTransactionOfAnotherManagerIsItsUsersOwn() throws Exception {
    try (GatewayConnection ada = gateway.patientClientOf("ada");
        GatewayConnection eve = gateway.patientClientOf("eve")) {
      Command join = new Command.BeginForeign("manager", "proxy", 7, LONG);
      long hers = ((Reply.Began) execute(ada, join)).transaction();
      assertThat(((Reply.Began) execute(ada, join)).transaction()).isEqualTo(hers);
      assertThat(((Reply.Began) execute(eve, join)).transaction()).isNotEqualTo(hers);
    }
  }

  @Test
  void attemptsAndCheckpointsCarryItsName() throws Exception {
    CheckpointEntry checkpoint = CheckpointEntry.ofJob(JOB);
    checkpoint.launcherId = "laptop";
    device.write(checkpoint, null, LONG).cancel();
    checkpoint.launcherId = "desktop";
    refused(() -> device.write(checkpoint, null, LONG), "launcherId");
    AttemptEntry attempt = AttemptEntry.ofJob(OTHER);
    attempt.launcherId = "laptop";
    refused(() -> device.write(attempt, null, LONG), "contract");
    refused(() -> device.takeIfExists(AttemptEntry.ofJob(JOB), null, 0), "launcherId");
  }

  @Test
  void aClassOfTheSameNameAndAnotherShapeIsRefused() {
    EncodedEntry offer = EntryCodec.encode(offer("laptop", "bob"));
    EntryType known = offer.type();
    EntryType elsewhere =
        new EntryType(known.name(), known.supertypes(), known.fieldNames(), -1, false);
    EntryType below = new EntryType("x.Offer", List.of(known.name()), known.fieldNames(), -1);
    for (EntryType type : List.of(elsewhere, below)) {
      assertThat(
              answer(
                  new Command.Write(
                      "market", List.of(new EncodedEntry(type, offer.fields())), List.of(LONG), 0)))
          .isEqualTo(Reply.Refusal.FORBIDDEN);
    }
  }

  @Test
  void itHasNoPartInTransactionsOfOthersAndNoOtherSpace() throws Exception {
    assertThat(answer(new Command.BeginForeign("m", "p", 1, LONG)))
        .isEqualTo(Reply.Refusal.FORBIDDEN);
    assertThat(answer(new Command.Prepare(1))).isEqualTo(Reply.Refusal.FORBIDDEN);
    try (TupleSpace elsewhere = bob.space("elsewhere")) {
      refused(() -> elsewhere.write(offer("laptop", "bob"), null, LONG), "space 'market'");
    }
  }

  @Test
  void anApplicationHasTheSpacesOfItsOwnerOnly() throws Exception {
    try (GatewayConnection ada = gateway.patientClient();
        TupleSpace own = ada.space("notes");
        TupleSpace same = ada.space("ada/notes")) {
      own.write(task(JOB, 1, 1), null, LONG);
      assertThat(same.take(null, null, JavaSpace.NO_WAIT)).isNotNull();
      for (String space : List.of("market/", "bob/notes", "ada2/notes", "/notes")) {
        try (TupleSpace others = ada.space(space)) {
          refused(() -> others.write(task(JOB, 1, 1), null, LONG), "named after its owner");
          refused(() -> others.read(null, null, 0), "named after its owner");
        }
      }
      assertThat(
              ada.engine()
                  .execute(
                      ada.engine().open("raw", event -> {}).get(60, TimeUnit.SECONDS),
                      1,
                      1,
                      new Command.Match(
                          "market", Command.Mode.READ, List.of(EntryCodec.encode(null)), 0, 0, 1))
                  .get(60, TimeUnit.SECONDS))
          .isInstanceOf(Reply.Refused.class);
    }
  }

  @Test
  void whatIsAllowedIsNotSlowedDownByMuchThatIsNot() {
    assertThatCode(
            () -> {
              for (int i = 0; i < 200; i++) {
                refused(() -> device.read(JobEntry.ofJob(OTHER), null, 0), "contract");
              }
              assertThat(device.read(ContractEntry.ofLauncher("laptop"), null, 0)).isNotNull();
            })
        .doesNotThrowAnyException();
    assertThat(gateway.server.refused()).isGreaterThanOrEqualTo(200);
  }
}
