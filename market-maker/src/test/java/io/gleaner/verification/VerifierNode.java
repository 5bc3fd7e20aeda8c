package io.gleaner.verification;

import io.gleaner.bag.BagSettings;
import io.gleaner.bag.Bags.Submission;
import io.gleaner.bag.Bags.Summary;
import io.gleaner.bag.Bags.TaskOutcome;
import io.gleaner.bag.SpaceSigners;
import io.gleaner.bag.SqlBags;
import io.gleaner.bag.TaskRegister;
import io.gleaner.bag.TestSpace;
import io.gleaner.blob.FileBlobStore;
import io.gleaner.ledger.Invariants;
import io.gleaner.ledger.Ledger;
import io.gleaner.ledger.LedgerSettings;
import io.gleaner.ledger.SqlLedger;
import io.gleaner.notice.NoticeSettings;
import io.gleaner.signing.Digests;
import io.gleaner.space.TupleSpace;
import io.gleaner.storage.Database;
import io.gleaner.storage.StorageSettings;
import io.gleaner.tuple.Outcome;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.TaskEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.Transaction;
import net.jini.space.MatchSet;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Space, bags, ledger and verifier of a node, real in every piece, and launchers as verbs. */
final class VerifierNode implements AutoCloseable {
  final Set<String> suspended = ConcurrentHashMap.newKeySet();

  /** What every contract here pays for a unit. */
  static final long MICROS_PER_UNIT = 10;

  private static final long UNIT = 1_000_000;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final TestSpace space = TestSpace.open();
  private final Database database;
  private final Ledger ledger;
  private final FileBlobStore blobs;
  private final SqlBags bags;
  private final Map<String, Contracts.Terms> contracts = new ConcurrentHashMap<>();
  private Optional<Verifier> verifier = Optional.empty();

  private VerifierNode(Path folder) throws Exception {
    database = Database.open(StorageSettings.in(folder.resolve("data")));
    ledger = new SqlLedger(database.dataSource(), InstantSource.system(), new LedgerSettings(0));
    ledger.grant("alice", 1_000_000_000, "start");
    blobs = new FileBlobStore(folder.resolve("blobs"), 1 << 20);
    bags =
        SqlBags.start(
            database.dataSource(),
            space.client(),
            blobs,
            ledger,
            SpaceSigners.open(
                database.dataSource(),
                space.client(),
                folder.resolve("signer"),
                InstantSource.system()),
            BagSettings.standard(NoticeSettings.standard(Optional.empty())),
            InstantSource.system());
  }

  /** A node whose verifier is at work. */
  static VerifierNode start(Path folder) throws Exception {
    VerifierNode node = new VerifierNode(folder);
    node.verifies(node.space.client(), node.bags);
    return node;
  }

  /** A verifier begins, perhaps one that meets space and register in a way of its own. */
  void verifies(TupleSpace through, TaskRegister register) {
    Verifier.Parts parts =
        new Verifier.Parts(
            through,
            register,
            ledger,
            blobs,
            contractId -> Optional.ofNullable(contracts.get(contractId)),
            ResultSignatures.NOT_ASKED,
            new Refusals(System::nanoTime, suspended::add),
            database.dataSource(),
            InstantSource.system(),
            ledger::epoch);
    verifier =
        Optional.of(Verifier.start(parts, new VerifierSettings(200, 20, 100, 30_000, 3, 50)));
  }

  /** The verifier ends what it has in hand and leaves: what it did is final then. */
  void verifierLeaves() {
    verifier.ifPresent(Verifier::close);
    verifier = Optional.empty();
  }

  /** Waits with a deadline that a busy machine keeps too. */
  static ConditionFactory awaits(String what) {
    return Awaitility.await(what).atMost(DEADLINE);
  }

  /** Every result was looked at, and the verifier left. */
  void verifierLeavesWithAllDone() throws Exception {
    awaits("no result waits").until(() -> count(new ResultEntry()) == 0);
    verifierLeaves();
    if (count(new ResultEntry()) != 0) {
      throw new AssertionError("results came back to the space");
    }
  }

  /** The launcher was revoked: its contract is unknown, what it claimed is set aside. */
  void revokes(String launcher) {
    contracts.remove(launcher);
    verifier.orElseThrow().setAside(launcher);
  }

  /** The launcher was revoked while no verifier was at work, and the next one hears of it. */
  void comesBackAfterRevoking(String launcher) {
    contracts.remove(launcher);
    verifies(space(), bags);
    verifier
        .orElseThrow()
        .setAsideAll((owner, id) -> owner.equals("owner-of-" + launcher) && id.equals(launcher));
  }

  TupleSpace space() {
    return space.client();
  }

  SqlBags bags() {
    return bags;
  }

  /** Alice submits so many tasks for five credits. */
  String submits(int tasks, String yaml) throws Exception {
    String bundle = blobs.put("the program".getBytes(StandardCharsets.UTF_8));
    String parameters = "parameters: {i: {range: {from: 0, to: " + (tasks - 1) + "}}}\n";
    String description =
        "name: bag\nbundle: a.jar\nentry_point: a.A\nbudget: 5\n" + parameters + yaml + "\n";
    return bags.submit("alice", new Submission(description, Map.of("a.jar", bundle), "key"))
        .jobId();
  }

  /** The launcher has a contract for the bag, named after it. */
  void contracts(String launcher, String jobId) {
    contracts.put(
        launcher,
        new Contracts.Terms(launcher, launcher, "owner-of-" + launcher, jobId, MICROS_PER_UNIT));
  }

  /** The launcher takes a task of the bag and commits three units of work that gave this. */
  ResultEntry completes(String launcher, String jobId, String output) throws Exception {
    return completesUnder(launcher, launcher, jobId, output);
  }

  /** The same, under a contract that may be another's. */
  ResultEntry completesUnder(String contract, String launcher, String jobId, String output)
      throws Exception {
    ResultEntry result = ResultEntry.ofJob(jobId);
    result.contractId = contract;
    result.outcome = Outcome.COMPLETED;
    result.output = output.getBytes(StandardCharsets.UTF_8);
    result.outputDigest = Digests.sha256Hex(output);
    return commits(launcher, result);
  }

  /** The launcher takes a task of the bag, and the task fails. */
  ResultEntry fails(String launcher, String jobId, String reason) throws Exception {
    ResultEntry result = ResultEntry.ofJob(jobId);
    result.contractId = launcher;
    result.outcome = Outcome.FAILED;
    result.reason = reason;
    result.logTail = "the last line";
    return commits(launcher, result);
  }

  private ResultEntry commits(String launcher, ResultEntry result) throws Exception {
    Transaction transaction = space().begin(Duration.ofSeconds(30)).transaction;
    TaskEntry task = (TaskEntry) space().take(TaskEntry.ofJob(result.jobId), transaction, 20_000);
    if (task == null) {
      throw new AssertionError("no task of bag " + result.jobId + " waits");
    }
    result.taskIndex = task.taskIndex;
    result.replica = task.replica;
    result.attempt = task.attempt;
    result.faults = task.faults;
    result.launcherId = launcher;
    result.meteredMicroUnits = 3 * UNIT;
    result.elapsedMillis = 5L;
    space().write(result, transaction, Lease.FOREVER);
    transaction.commit();
    return result;
  }

  /** The same result comes again. */
  void comesAgain(ResultEntry result) throws Exception {
    space().write(result, null, Lease.FOREVER);
  }

  /** Waits until the task has ended. */
  TaskOutcome awaitsOutcome(String jobId, int taskIndex) {
    awaits("task " + taskIndex + " has ended").until(() -> outcome(jobId, taskIndex).isPresent());
    return outcome(jobId, taskIndex).orElseThrow();
  }

  Optional<TaskOutcome> outcome(String jobId, int taskIndex) {
    return bags.outcomes(jobId, taskIndex - 1, 1).stream()
        .filter(outcome -> outcome.taskIndex() == taskIndex)
        .findFirst();
  }

  Summary bag(String jobId) {
    return bags.find(jobId).orElseThrow();
  }

  long earned(String launcher) {
    return ledger.balance("owner/owner-of-" + launcher);
  }

  long balanceOfAlice() {
    return ledger.balance("user/alice");
  }

  int waiting(String jobId) throws Exception {
    return count(TaskEntry.ofJob(jobId));
  }

  private int count(Entry template) throws Exception {
    MatchSet all = space().contents(List.of(template), null, 60_000, Long.MAX_VALUE);
    List<Entry> found = new ArrayList<>();
    for (Entry entry = all.next(); entry != null; entry = all.next()) {
      found.add(entry);
    }
    return found.size();
  }

  List<String> brokenInvariants() throws Exception {
    return Invariants.check(database.dataSource()).stream().map(Object::toString).toList();
  }

  @Override
  public void close() {
    verifierLeaves();
    bags.close();
    space.close();
    database.close();
  }
}
