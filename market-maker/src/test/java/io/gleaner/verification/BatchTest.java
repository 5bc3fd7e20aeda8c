package io.gleaner.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.bag.TaskRegister;
import io.gleaner.blob.BlobStore;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.ledger.Invariants;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerException;
import io.gleaner.ledger.LedgerSettings;
import io.gleaner.ledger.SqlLedger;
import io.gleaner.signing.Digests;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a batch does to claims, ledger, blobs and register, also when it is cut short. */
@Timeout(60)
class BatchTest {
  final Set<String> suspended = ConcurrentHashMap.newKeySet();
  private static final long UNIT = 1_000_000;

  @TempDir Path folder;
  private Database database;
  private Ledger ledger;
  private BlobStore blobs;
  private Register register;

  @BeforeEach
  void aBagOfOneThousandMicros() throws Exception {
    database = Database.open(StorageSettings.in(folder.resolve("data")));
    ledger =
        new SqlLedger(database.dataSource(), InstantSource.system(), LedgerSettings.defaults());
    ledger.grant("alice", 1_000, "first");
    ledger.escrow("alice", "bag", 1_000);
    blobs = new FileBlobStore(folder.resolve("blobs"), 1 << 20);
    register = new Register(1);
  }

  @AfterEach
  void theLedgerIsRightAtTheEnd() {
    try (Database closing = database) {
      assertThat(Invariants.check(closing.dataSource())).isEmpty();
    }
  }

  @Test
  void anAcceptedTaskIsPaidByTheContractAndItsOutputIsKept() throws Exception {
    deliver(completed(0, 0, "bob", "forty-two", 3 * UNIT));

    assertThat(ledger.balance("owner/bob")).isEqualTo(30);
    TaskOutcome outcome = register.outcomes.get(0);
    assertThat(outcome.outcome()).isEqualTo("COMPLETED");
    assertThat(outcome.paidMicros()).isEqualTo(30);
    assertThat(blobs.read(outcome.outputDigest().orElseThrow())).asString().isEqualTo("forty-two");
  }

  @Test
  void whatIsDeliveredAgainIsPaidOnce() throws Exception {
    for (int again = 0; again < 3; again++) {
      deliver(completed(0, 0, "bob", "forty-two", 3 * UNIT));
    }
    assertThat(ledger.balance("owner/bob")).isEqualTo(30);
    assertThat(register.calls).isEqualTo(3);
  }

  @Test
  void aSecondAnswerForTheSameReplicaIsNotPaid() throws Exception {
    deliver(completed(0, 0, "bob", "forty-two", 3 * UNIT));
    deliver(completed(0, 0, "eve", "forty-two", 3 * UNIT));

    assertThat(ledger.balance("owner/eve")).isZero();
    assertThat(ledger.balance("owner/bob")).isEqualTo(30);
  }

  @Test
  void aCrashBetweenAnyTwoStepsIsHarmless() throws Exception {
    ResultEntry result = completed(0, 0, "bob", "forty-two", 3 * UNIT);
    ledger.beginEpoch(1);
    // Refused by the ledger after the claim is on disk, like a crash between the two.
    assertThatThrownBy(() -> deliverUnder(0, result)).isInstanceOf(LedgerException.class);
    assertThatThrownBy(() -> deliverUnder(2, result)).isInstanceOf(LedgerException.class);
    assertThat(ledger.balance("owner/bob")).isZero();
    assertThat(register.outcomes).as("unpaid work is not accepted").isEmpty();

    register.crashes = true;
    assertThatThrownBy(() -> deliverUnder(1, result)).isInstanceOf(Crash.class);
    assertThat(ledger.balance("owner/bob")).as("settled, not registered").isEqualTo(30);
    assertThat(register.outcomes).isEmpty();

    register.crashes = false;
    deliverUnder(1, result);
    deliverUnder(1, result);
    assertThat(ledger.balance("owner/bob")).isEqualTo(30);
    assertThat(register.outcomes.get(0).paidMicros()).isEqualTo(30);
  }

  @Test
  void copiesThatAgreeInDifferentBatchesArePaidTheLowestClaimOfThem() throws Exception {
    register = new Register(2);
    deliver(completed(0, 0, "bob", "forty-two", 9 * UNIT));
    assertThat(ledger.balance("owner/bob")).as("one of two").isZero();
    assertThat(register.outcomes).isEmpty();

    deliver(completed(0, 1, "carol", "forty-two", 2 * UNIT));
    deliver(completed(0, 1, "carol", "forty-two", 2 * UNIT));
    assertThat(ledger.balance("owner/bob")).isEqualTo(20);
    assertThat(ledger.balance("owner/carol")).isEqualTo(20);
    assertThat(register.outcomes.get(0).paidMicros()).isEqualTo(40);
  }

  @Test
  void claimedWorkIsCappedByTheBagsLimit() throws Exception {
    deliver(completed(0, 0, "bob", "forty-two", 1_000_000 * UNIT));
    assertThat(ledger.balance("owner/bob")).isEqualTo(100);
  }

  @Test
  void aTaskThatFailsTooOftenIsParkedUnpaidWithItsReason() throws Exception {
    ResultEntry failed = completed(0, 0, "bob", "", UNIT);
    failed.outcome = Outcome.FAILED;
    failed.output = null;
    failed.outputDigest = null;
    failed.attempt = 3;
    failed.faults = 2;
    failed.reason = "division by zero\u0000";
    failed.logTail = "at line 7\n\u0000\u001b[2J";
    deliver(failed);

    assertThat(register.outcomes.get(0))
        .returns("FAILED", TaskOutcome::outcome)
        .as("a database of PostgreSQL and a terminal take it")
        .returns("division by zero?", TaskOutcome::reason)
        .returns("at line 7\n??[2J", TaskOutcome::logTail);
    assertThat(ledger.balance("owner/bob")).isZero();
  }

  @Test
  void resultsOfABagThatIsNotOpenAreDroppedUnpaid() throws Exception {
    ResultEntry stranger = completed(0, 0, "bob", "forty-two", UNIT);
    stranger.jobId = "another";
    deliver(stranger, new ResultEntry());

    assertThat(register.outcomes).isEmpty();
    assertThat(ledger.balance("owner/bob")).isZero();
  }

  @Test
  void whatALauncherClaimsFalselyIsRefused() throws Exception {
    assertRefused(r -> r.contractId = "invented", "is not known");
    assertRefused(r -> r.contractId = "bob\u0000", "is not known");
    assertRefused(r -> r.launcherId = "launcher-of-eve", "is of launcher");
    assertRefused(r -> r.output = new byte[] {1}, "not what its digest says");
    assertRefused(r -> r.outputDigest = "xyz", "no digest");
    assertRefused(r -> r.output = null, "not in the blob store");
  }

  private void assertRefused(java.util.function.Consumer<ResultEntry> lie, String reason)
      throws Exception {
    ResultEntry result = completed(0, 0, "bob", "a lie", UNIT);
    lie.accept(result);
    Finding finding =
        new Examiner(this::contract, blobs, ResultSignatures.NOT_ASKED)
            .examine(
                result,
                register.termsOfOpen("bag").orElseThrow(),
                new Quorum(1, 0),
                Optional.empty());
    assertThat(finding)
        .isInstanceOfSatisfying(
            Finding.Refused.class, refused -> assertThat(refused.reason()).contains(reason));
  }

  private void deliver(ResultEntry... results) throws Exception {
    deliverUnder(0, results);
  }

  /** Nothing of these stories goes back to the space, so there is none. */
  private void deliverUnder(long epoch, ResultEntry... results) throws Exception {
    Verifier.Parts parts =
        new Verifier.Parts(
            null,
            register,
            ledger,
            blobs,
            this::contract,
            ResultSignatures.NOT_ASKED,
            new Refusals(System::nanoTime, suspended::add),
            database.dataSource(),
            InstantSource.system(),
            () -> epoch);
    ClaimStore store = new ClaimStore(database.dataSource());
    Requeue requeue = new Requeue(null, register, null);
    new Batch(parts, VerifierSettings.defaults(), store, requeue, epoch).run(List.of(results));
  }

  /** Contracts are named after the owner and cost ten micro-credits a unit. */
  private Optional<Contracts.Terms> contract(String id) {
    return List.of("bob", "carol", "eve").contains(id)
        ? Optional.of(new Contracts.Terms(id, "launcher-of-" + id, id, "bag", 10))
        : Optional.empty();
  }

  private static ResultEntry completed(
      int task, int replica, String owner, String output, long microUnits) {
    ResultEntry result = ResultEntry.ofJob("bag");
    result.taskIndex = task;
    result.replica = replica;
    result.attempt = 1;
    result.faults = 0;
    result.launcherId = "launcher-of-" + owner;
    result.contractId = owner;
    result.outcome = Outcome.COMPLETED;
    result.output = output.getBytes(StandardCharsets.UTF_8);
    result.outputDigest = Digests.sha256Hex(output);
    result.meteredMicroUnits = microUnits;
    result.elapsedMillis = 5L;
    return result;
  }

  /** Stands for the process ending. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A register of one open bag, in memory because each story is one process. */
  private static final class Register implements TaskRegister {
    final Map<Integer, TaskOutcome> outcomes = new TreeMap<>();
    final int replication;
    int calls;
    boolean crashes;

    Register(int replication) {
      this.replication = replication;
    }

    @Override
    public Optional<Terms> termsOfOpen(String jobId) {
      return jobId.equals("bag")
          ? Optional.of(new Terms("alice", replication, 3, 10 * UNIT, Long.MAX_VALUE))
          : Optional.empty();
    }

    @Override
    public Optional<TaskEntry> task(String jobId, int taskIndex) {
      TaskEntry task = TaskEntry.ofJob(jobId);
      task.taskIndex = taskIndex;
      task.parameters = Map.of("seed", Integer.toString(taskIndex));
      return Optional.of(task);
    }

    @Override
    public boolean ended(String jobId, TaskOutcome outcome) {
      if (crashes) {
        throw new Crash();
      }
      calls++;
      return outcomes.putIfAbsent(outcome.taskIndex(), outcome) == null;
    }
  }
}
